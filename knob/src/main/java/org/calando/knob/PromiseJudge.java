package org.calando.knob;

import java.util.Optional;
import java.util.OptionalDouble;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.load.Interval;
import org.calando.load.Phase;
import org.calando.report.column.KeptPromise;
import org.calando.report.column.RunRecord;

/** Judges what clients were promised of reads, second by second of a run. Thread safe. */
public final class PromiseJudge implements RunPart {
  private final Promise promise;
  private long seconds;
  private long broken;

  private PromiseJudge(Promise promise) {
    this.promise = promise;
  }

  /** Judges a promise; empty if it says nothing of reads that a run tells. */
  public static Optional<PromiseJudge> of(Promise promise) {
    boolean told =
        promise.limit(Promised.STALE).isPresent() || promise.limit(Promised.READ_P99).isPresent();
    return told ? Optional.of(new PromiseJudge(promise)) : Optional.empty();
  }

  @Override
  public synchronized void interval(Interval interval) {
    long reads = interval.reads();
    if (interval.phase() != Phase.MEASURED || reads + interval.errors() == 0) {
      return;
    }
    seconds++;
    broken += reads == 0 || isStale(interval) || isSlow(interval) ? 1 : 0;
  }

  private boolean isStale(Interval interval) {
    return (double) interval.staleReads() / interval.reads()
        > promise.limit(Promised.STALE).orElse(1);
  }

  /** What failed is slower than any limit; of an error it is not told whether it was a read's. */
  private boolean isSlow(Interval interval) {
    OptionalDouble p99 = promise.limit(Promised.READ_P99);
    double ended = interval.reads() + interval.errors();
    return p99.isPresent()
        && (interval.readP99Nanos() / 1e9 > p99.getAsDouble()
            || interval.errors() / ended > KeptPromise.SLOWEST);
  }

  @Override
  public synchronized void record(RunRecord found) {
    found.add(new KeptPromise(promise, seconds, broken));
  }
}
