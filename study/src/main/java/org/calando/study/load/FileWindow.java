package org.calando.study.load;

import org.calando.core.time.Scheduler;
import org.calando.load.Interval;
import org.calando.load.IntervalListener;
import org.calando.load.Phase;
import org.calando.load.file.FileLoad;
import org.calando.load.file.FileProgress;

/**
 * Tells a listener of the edges of a load on files, and of each second, at the load's own times.
 * Thread safe.
 */
public final class FileWindow {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final FileProgress NOTHING = new FileProgress(0, 0, 0, 0, 0);

  private final IntervalListener watch;
  private final Scheduler scheduler;
  private final FileLoad load;
  private final long beginNanos;
  private final long fromNanos;
  private final long toNanos;
  private FileProgress last = NOTHING;
  private long lastNanos;
  private boolean began;
  private boolean ended;

  private FileWindow(
      IntervalListener watch,
      Scheduler scheduler,
      FileLoad load,
      long beginNanos,
      long warmUp,
      long time) {
    this.watch = watch;
    this.scheduler = scheduler;
    this.load = load;
    this.beginNanos = beginNanos;
    this.lastNanos = beginNanos;
    this.fromNanos = beginNanos + warmUp;
    this.toNanos = fromNanos + time;
  }

  /**
   * Begins to watch.
   *
   * @param load has just begun
   * @param beginNanos when, on the scheduler's clock
   * @param warmUpNanos its warm-up
   * @param durationNanos its measured window
   */
  public static FileWindow begin(
      IntervalListener watch,
      Scheduler scheduler,
      FileLoad load,
      long beginNanos,
      long warmUpNanos,
      long durationNanos) {
    FileWindow window =
        new FileWindow(watch, scheduler, load, beginNanos, warmUpNanos, durationNanos);
    window.arm();
    return window;
  }

  /** The next whole second of the warm-up or of the window, or its edge. */
  private synchronized void arm() {
    long base = lastNanos < fromNanos ? beginNanos : fromNanos;
    long edge = lastNanos < fromNanos ? fromNanos : toNanos;
    long next = base + ((lastNanos - base) / SECOND_NANOS + 1) * SECOND_NANOS;
    if (fromNanos == beginNanos && !began) {
      next = beginNanos;
    }
    long at = Math.min(next, edge);
    scheduler.at(at, () -> tick(at));
  }

  private synchronized void tick(long atNanos) {
    if (ended) {
      return;
    }
    if (atNanos > lastNanos) {
      tell(atNanos);
    }
    if (atNanos >= fromNanos && !began) {
      began = true;
      watch.measurementBegan(atNanos);
    }
    if (atNanos >= toNanos) {
      end();
    } else {
      arm();
    }
  }

  private void tell(long atNanos) {
    FileProgress now = load.progress();
    boolean measured = lastNanos >= fromNanos;
    long reads = now.reads() - last.reads();
    long writes = now.writes() - last.writes();
    long errors = now.errors() - last.errors();
    watch.interval(
        new Interval(
            measured ? Phase.MEASURED : Phase.WARMUP,
            (lastNanos - (measured ? fromNanos : beginNanos)) / SECOND_NANOS,
            lastNanos,
            atNanos,
            reads + writes + errors,
            reads,
            writes,
            errors,
            0,
            Interval.NO_LATENCY,
            Interval.NO_LATENCY,
            Interval.NO_LATENCY,
            Interval.NO_LATENCY));
    last = now;
    lastNanos = atNanos;
  }

  /** The load is over: the window ends now, if it has not yet. Idempotent. */
  public synchronized void end() {
    if (!ended) {
      ended = true;
      if (began) {
        watch.measurementEnded(scheduler.clock().nanos());
      }
    }
  }
}
