package org.calando.load.internal;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.calando.core.store.Outcome;
import org.calando.core.workload.OperationKind;
import org.calando.load.Interval;
import org.calando.load.Measure;
import org.calando.load.Phase;
import org.jspecify.annotations.Nullable;

/**
 * The histograms and counters of one phase. Recording is thread safe; the rest is for one thread at
 * a time.
 */
public final class PhaseRecorder {
  private static final Measure[] MEASURES = Measure.values();
  private static final Outcome[] OUTCOMES = Outcome.values();
  private static final int DIGITS = 3;

  private final Recorder[] active = new Recorder[MEASURES.length];
  private final Histogram[] interval = new Histogram[MEASURES.length];
  private final Histogram[] totals = new Histogram[MEASURES.length];
  private final Histogram merged = histogram();
  private final AtomicLongArray errors =
      new AtomicLongArray(OperationKind.values().length * OUTCOMES.length);
  private final LongAdder stale = new LongAdder();
  private final LongAdder notFound = new LongAdder();
  private int intervals;
  private long staleBefore;
  private long operationsTotal;
  private long errorsTotal;

  /** Nothing recorded yet. */
  public PhaseRecorder() {
    for (int i = 0; i < MEASURES.length; i++) {
      active[i] =
          new Recorder(
              org.calando.load.Recorder.LOWEST_NANOS,
              org.calando.load.Recorder.HIGHEST_NANOS,
              DIGITS);
      interval[i] = active[i].getIntervalHistogram();
      totals[i] = histogram();
    }
  }

  private static Histogram histogram() {
    return new Histogram(
        org.calando.load.Recorder.LOWEST_NANOS, org.calando.load.Recorder.HIGHEST_NANOS, DIGITS);
  }

  /** Records a latency; one beyond the range counts as the range's end. */
  public void latency(Measure measure, long nanos) {
    active[measure.ordinal()].recordValue(
        Math.max(0, Math.min(nanos, org.calando.load.Recorder.HIGHEST_NANOS)));
  }

  /** Counts an error; returns how many of its sort there were before. */
  public long error(OperationKind kind, Outcome outcome) {
    return errors.getAndIncrement(kind.ordinal() * OUTCOMES.length + outcome.ordinal());
  }

  /** Counts a read without a record. */
  public void notFound() {
    notFound.increment();
  }

  /** Counts a stale read. */
  public void stale() {
    stale.increment();
  }

  /** Ends an interval and adds it to the totals; null if nothing ended in it. */
  public @Nullable Interval interval(Phase phase, long startNanos, long endNanos) {
    long operations = 0;
    for (Measure measure : MEASURES) {
      int i = measure.ordinal();
      interval[i] = active[i].getIntervalHistogram(interval[i]);
      if (interval[i].getTotalCount() > 0) {
        totals[i].add(interval[i]);
      }
      operations += measure.isOperation() ? interval[i].getTotalCount() : 0;
    }
    long failed = interval[Measure.ERROR.ordinal()].getTotalCount();
    operations += failed;
    long staleNow = stale.sum();
    long staleReads = staleNow - staleBefore;
    staleBefore = staleNow;
    if (operations == 0 && staleReads == 0 && dualReads() == 0) {
      return null;
    }
    operationsTotal += operations;
    errorsTotal += failed;

    merge(true);
    long reads = merged.getTotalCount();
    long readP50 = percentile(50);
    long readP99 = percentile(99);
    merge(false);
    return new Interval(
        phase,
        intervals++,
        startNanos,
        endNanos,
        operations,
        reads,
        merged.getTotalCount(),
        failed,
        staleReads,
        readP50,
        readP99,
        percentile(50),
        percentile(99));
  }

  /** The histogram of the interval that ended last. */
  public Histogram lastInterval(Measure measure) {
    return interval[measure.ordinal()];
  }

  /** The histogram of all ended intervals. */
  public Histogram total(Measure measure) {
    return totals[measure.ordinal()];
  }

  /** Operations of ended intervals, errors included. */
  public long operations() {
    return operationsTotal;
  }

  /** Errors of ended intervals. */
  public long errors() {
    return errorsTotal;
  }

  /** Reads without a record, so far. */
  public long notFounds() {
    return notFound.sum();
  }

  /** Errors by outcome, so far; those that did not occur are left out. */
  public Map<Outcome, Long> errorsByOutcome() {
    Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
    for (int i = 0; i < errors.length(); i++) {
      if (errors.get(i) > 0) {
        counts.merge(OUTCOMES[i % OUTCOMES.length], errors.get(i), Long::sum);
      }
    }
    return counts;
  }

  private long dualReads() {
    return interval[Measure.DUAL_READ.ordinal()].getTotalCount();
  }

  private void merge(boolean reads) {
    merged.reset();
    for (Measure measure : MEASURES) {
      Histogram part = interval[measure.ordinal()];
      if ((reads ? measure.isRead() : measure.isWrite()) && part.getTotalCount() > 0) {
        merged.add(part);
      }
    }
  }

  private long percentile(double percent) {
    return merged.getTotalCount() == 0
        ? Interval.NO_LATENCY
        : merged.getValueAtPercentile(percent);
  }
}
