package org.calando.knob;

import java.util.Optional;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.load.Interval;
import org.calando.load.Phase;
import org.calando.report.column.PromiseFigures;
import org.calando.report.column.RunRecord;

/** Judges what clients were promised of reads, second by second of a run. Thread safe. */
public final class PromiseWatch implements RunPart {
  private final Promise promise;
  private long seconds;
  private long broken;

  private PromiseWatch(Promise promise) {
    this.promise = promise;
  }

  /** Judges a promise; empty if it says nothing of reads that a run tells. */
  public static Optional<PromiseWatch> of(Promise promise) {
    boolean told =
        promise.limit(Promised.STALE).isPresent() || promise.limit(Promised.READ_P99).isPresent();
    return told ? Optional.of(new PromiseWatch(promise)) : Optional.empty();
  }

  @Override
  public synchronized void interval(Interval interval) {
    if (interval.phase() != Phase.MEASURED || interval.reads() == 0) {
      return;
    }
    seconds++;
    double stale = (double) interval.staleReads() / interval.reads();
    boolean isStale = stale > promise.limit(Promised.STALE).orElse(1);
    double p99 = promise.limit(Promised.READ_P99).orElse(Double.POSITIVE_INFINITY);
    broken += isStale || interval.readP99Nanos() / 1e9 > p99 ? 1 : 0;
  }

  @Override
  public synchronized void record(RunRecord found) {
    found.add(new PromiseFigures(promise, seconds, broken));
  }
}
