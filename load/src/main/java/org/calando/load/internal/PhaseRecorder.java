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
  private long intervalOperations;
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

  /** Counts an error. */
  public void error(OperationKind kind, Outcome outcome) {
    Objects.requireNonNull(Objects.requireNonNull(errors.get(kind)).get(outcome)).increment();
  }

  /** Counts a read without a record. */
  public void notFound() {
    notFound.increment();
  }

  /** Counts a stale read. */
  public void stale() {
    stale.increment();
  }

  /** Ends an interval and adds it to the totals; whether anything ended in it. */
  public boolean endInterval() {
    long any = 0;
    long operations = 0;
    for (Measure measure : Measure.values()) {
      long count = of(measure).endInterval();
      any += count;
      operations += measure.isOperation() || measure == Measure.ERROR ? count : 0;
    }
    intervalOperations = operations;
    operationsTotal += operations;
    errorsTotal += lastInterval(Measure.ERROR).getTotalCount();
    return any > 0;
  }

  /** The interval that ended last in figures; to be asked once. */
  public Interval summary(Phase phase, long second, long startNanos, long endNanos) {
    long staleNow = stale.sum();
    long staleReads = staleNow - staleBefore;
    staleBefore = staleNow;

    merge(true);
    long reads = merged.getTotalCount();
    long readP50 = percentile(50);
    long readP99 = percentile(99);
    merge(false);
    return new Interval(
        phase,
        second,
        startNanos,
        endNanos,
        intervalOperations,
        reads,
        merged.getTotalCount(),
        lastInterval(Measure.ERROR).getTotalCount(),
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
