package org.calando.load.internal;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
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
  private final Map<Measure, Latencies> latencies = new EnumMap<>(Measure.class);
  private final Map<OperationKind, Map<Outcome, LongAdder>> errors =
      new EnumMap<>(OperationKind.class);
  private final Histogram merged = Latencies.empty();
  private final LongAdder stale = new LongAdder();
  private final LongAdder notFound = new LongAdder();
  private int intervals;
  private long staleBefore;
  private long operationsTotal;
  private long errorsTotal;

  /** Nothing recorded yet. */
  public PhaseRecorder() {
    for (Measure measure : Measure.values()) {
      latencies.put(measure, new Latencies());
    }
    for (OperationKind kind : OperationKind.values()) {
      Map<Outcome, LongAdder> byOutcome = new EnumMap<>(Outcome.class);
      for (Outcome outcome : Outcome.values()) {
        byOutcome.put(outcome, new LongAdder());
      }
      errors.put(kind, byOutcome);
    }
  }

  /** Records a latency in nanoseconds. */
  public void latency(Measure measure, long nanos) {
    of(measure).record(nanos);
  }

  /** Counts an error; returns whether it may be the first of its sort. */
  public boolean error(OperationKind kind, Outcome outcome) {
    LongAdder count = Objects.requireNonNull(Objects.requireNonNull(errors.get(kind)).get(outcome));
    boolean first = count.sum() == 0;
    count.increment();
    return first;
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
    long any = 0;
    for (Measure measure : Measure.values()) {
      long count = of(measure).endInterval();
      any += count;
      operations += measure.isOperation() || measure == Measure.ERROR ? count : 0;
    }
    if (any == 0) {
      return null;
    }
    long staleNow = stale.sum();
    long staleReads = staleNow - staleBefore;
    staleBefore = staleNow;
    long failed = lastInterval(Measure.ERROR).getTotalCount();
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
    return of(measure).interval();
  }

  /** The histogram of all ended intervals. */
  public Histogram total(Measure measure) {
    return of(measure).total();
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
    for (Map<Outcome, LongAdder> byOutcome : errors.values()) {
      byOutcome.forEach(
          (outcome, count) -> {
            if (count.sum() > 0) {
              counts.merge(outcome, count.sum(), Long::sum);
            }
          });
    }
    return counts;
  }

  private Latencies of(Measure measure) {
    return Objects.requireNonNull(latencies.get(measure));
  }

  private void merge(boolean reads) {
    merged.reset();
    for (Measure measure : Measure.values()) {
      Histogram part = lastInterval(measure);
      if ((reads ? measure.isRead() : measure.isWrite()) && part.getTotalCount() > 0) {
        merged.add(part);
      }
    }
  }

  private long percentile(double percent) {
    return merged.getTotalCount() == 0 ? Interval.NO_LATENCY : merged.getValueAtPercentile(percent);
  }
}
