package org.calando.load;

import java.io.PrintStream;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.calando.core.store.Outcome;
import org.calando.core.workload.OperationKind;
import org.calando.load.internal.HistogramLog;
import org.calando.load.internal.PhaseRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times the operations of one run: a histogram per {@link Measure} (three significant
 * digits, 1 microsecond to 1 hour), delivered interval by interval and as totals. Percentiles come
 * from merged histograms and are never averaged.
 *
 * <p>Recording is thread safe and allocates nothing; the other methods may be called by one thread
 * at a time each, and wait for each other.
 */
public final class Recorder {
  /** Shortest latency told from 0, in nanoseconds. */
  public static final long LOWEST_NANOS = 1_000;

  /** Longest latency; longer ones are recorded as this. */
  public static final long HIGHEST_NANOS = 3_600_000_000_000L;

  private static final long SECOND_NANOS = 1_000_000_000L;

  private final PhaseRecorder warmup = new PhaseRecorder();
  private final PhaseRecorder measured = new PhaseRecorder();
  private final IntervalListener listener;
  private final @Nullable HistogramLog log;
  private Phase current = Phase.WARMUP;
  private long startNanos;
  private long measuredFromNanos;
  private long intervalStartNanos;

  /** A recorder that tells of its intervals and writes no log. */
  public Recorder(IntervalListener listener) {
    this(listener, null, 0);
  }

  /**
   * A recorder that also writes measured intervals in HdrHistogram's log format (v1.3), with the
   * measure's label as tag.
   *
   * @param listener told of each interval
   * @param log written to, flushed after each interval and not closed; {@link
   *     PrintStream#checkError} tells whether writing failed
   * @param epochMillis wall-clock time of the run's start, for the log's header
   */
  public Recorder(IntervalListener listener, @Nullable PrintStream log, long epochMillis) {
    this.listener = listener;
    this.log = log == null ? null : new HistogramLog(log, epochMillis);
  }

  /** Records a success. */
  public void success(Phase phase, Measure measure, long latencyNanos) {
    of(phase).latency(measure, latencyNanos);
  }

  /** Records an operation that ended in an error. */
  public void error(Phase phase, OperationKind kind, Outcome outcome, long latencyNanos) {
    PhaseRecorder recorder = of(phase);
    recorder.latency(Measure.ERROR, latencyNanos);
    recorder.error(kind, outcome);
  }

  /** Counts a read that found no record; the read itself is a success. */
  public void notFound(Phase phase) {
    of(phase).notFound();
  }

  /** Counts a read that the oracle called stale. */
  public void stale(Phase phase) {
    of(phase).stale();
  }

  /** Begins the first interval. */
  public synchronized void begin(long nowNanos) {
    startNanos = nowNanos;
    intervalStartNanos = nowNanos;
  }

  /** Ends the interval, so that the next belongs to the measured window, and passes the news on. */
  public synchronized void measurementBegan(long nowNanos) {
    // Before the interval ends: operations of the window may have ended in it, as this is told
    // late.
    measuredFromNanos = nowNanos;
    last(nowNanos);
    current = Phase.MEASURED;
    listener.measurementBegan(nowNanos);
  }

  /** Passes the news on, from any thread. */
  public void mayHaveEnded(long nowNanos) {
    listener.mayHaveEnded(nowNanos);
  }

  /** Passes the news on. */
  public synchronized void measurementEnded(long nowNanos) {
    listener.measurementEnded(nowNanos);
  }

  /**
   * Ends the interval and tells the listener of it, even if nothing ended in it, and of operations
   * of the warm-up that ended in it if the measured window has begun.
   */
  public synchronized void interval(long nowNanos) {
    endInterval(nowNanos, false);
  }

  /** As {@link #interval}, but an interval in which nothing ended is not told. */
  public synchronized void last(long nowNanos) {
    endInterval(nowNanos, true);
  }

  private void endInterval(long nowNanos, boolean skipEmpty) {
    for (Phase phase : Phase.values()) {
      PhaseRecorder recorder = of(phase);
      if (recorder.endInterval() || (phase == current && !skipEmpty)) {
        if (log != null && phase == Phase.MEASURED) {
          log.write(recorder, intervalStartNanos - startNanos, nowNanos - startNanos);
        }
        long phaseStart = phase == Phase.MEASURED ? measuredFromNanos : startNanos;
        long second = Math.max(0, intervalStartNanos - phaseStart) / SECOND_NANOS;
        listener.interval(recorder.summary(phase, second, intervalStartNanos, nowNanos));
      }
    }
    intervalStartNanos = nowNanos;
  }

  /** Operations that succeeded in ended intervals, of both phases. */
  public synchronized long successes() {
    return warmup.operations() - warmup.errors() + measured.operations() - measured.errors();
  }

  /** Operations that ended in ended intervals, errors included. */
  public synchronized long operations(Phase phase) {
    return of(phase).operations();
  }

  /** Errors of ended intervals. */
  public synchronized long errors(Phase phase) {
    return of(phase).errors();
  }

  /** Reads without a record, so far. */
  public long notFounds(Phase phase) {
    return of(phase).notFounds();
  }

  /** Measured errors by outcome; those that did not occur are left out. */
  public Map<Outcome, Long> errorsByOutcome() {
    return of(Phase.MEASURED).errorsByOutcome();
  }

  /** Copies of the measured histograms of ended intervals, for measures that occurred. */
  public synchronized Map<Measure, Histogram> totals() {
    Map<Measure, Histogram> totals = new EnumMap<>(Measure.class);
    for (Measure measure : Measure.values()) {
      Histogram total = of(Phase.MEASURED).total(measure);
      if (total.getTotalCount() > 0) {
        totals.put(measure, total.copy());
      }
    }
    return totals;
  }

  private PhaseRecorder of(Phase phase) {
    return phase == Phase.MEASURED ? measured : warmup;
  }
}
