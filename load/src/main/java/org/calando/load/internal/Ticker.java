package org.calando.load.internal;

import org.calando.core.time.Scheduler;
import org.calando.load.EndReason;
import org.calando.load.Phase;
import org.calando.load.Recorder;

/**
 * Ends the recorder's interval every second, counted anew from the begin of the measured window,
 * and looks whether the run is to be given up.
 */
final class Ticker {
  private static final long INTERVAL_NANOS = 1_000_000_000L;

  private final Run run;
  private final Recorder recorder;
  private final Scheduler scheduler;
  private final Watchdog watchdog;
  private long nextNanos;
  private boolean measured;
  private boolean over;
  private boolean ended;

  Ticker(Run run, Recorder recorder, Scheduler scheduler, long giveUpNanos) {
    this.run = run;
    this.recorder = recorder;
    this.scheduler = scheduler;
    this.watchdog = new Watchdog(giveUpNanos);
  }

  synchronized void begin(long nowNanos) {
    watchdog.begin(nowNanos);
    schedule(nowNanos + INTERVAL_NANOS);
  }

  /** The measured window has begun. */
  void measurementBegan() {
    try {
      tellOfMeasurement();
    } catch (Throwable e) {
      run.fail(e);
    }
  }

  /** The measured window, if it had begun, is over since a time; the first call counts. */
  synchronized void measurementEnded(long nanos) {
    if (run.hasMeasurementBegun(nanos) && !over) {
      tellOfMeasurement();
      over = true;
      recorder.measurementEnded(nanos);
    }
  }

  /** The run is drained: tells what has not been told of the window's begin. */
  synchronized void drained(long nowNanos) {
    if (run.hasMeasurementBegun(nowNanos)) {
      tellOfMeasurement();
    }
  }

  /** No further ticks. */
  synchronized void end() {
    ended = true;
  }

  private synchronized void tellOfMeasurement() {
    if (ended || over || measured) {
      return;
    }
    measured = true;
    long from = run.window().fromNanos();
    recorder.measurementBegan(from);
    schedule(from + INTERVAL_NANOS);
  }

  private void schedule(long nanos) {
    nextNanos = nanos;
    scheduler.at(nanos, this::tick);
  }

  private void tick() {
    try {
      if (isOver()) {
        run.end(EndReason.NO_SUCCESS);
      }
    } catch (Throwable e) {
      // A listener that throws must end the run, or nobody would hear of it.
      run.fail(e);
    }
  }

  private synchronized boolean isOver() {
    long now = scheduler.clock().nanos();
    // A tick of the warm-up's rhythm may come after the measured window has begun its own.
    if (ended || now < nextNanos) {
      return false;
    }
    if (!measured && run.hasMeasurementBegun(now)) {
      // The interval must end where the window begins, and the window's own ticks take over.
      tellOfMeasurement();
      return false;
    }
    recorder.interval(now);
    long next = nextNanos;
    while (next <= now) {
      next += INTERVAL_NANOS;
    }
    schedule(next);
    return watchdog.isTimeToGiveUp(
        now,
        recorder.successes(),
        recorder.errors(Phase.WARMUP) + recorder.errors(Phase.MEASURED),
        run.isBusy());
  }
}
