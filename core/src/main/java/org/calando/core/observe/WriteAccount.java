package org.calando.store.hbase.internal;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.calando.core.store.DeferralFigures;
import org.jspecify.annotations.Nullable;

/**
 * Counts what becomes of writes: those that only this process has, and how long each takes from its
 * call until it is on the server. Thread safe.
 */
final class Account {
  private static final long LONGEST_NANOS = 3_600_000_000_000L;
  private static final int DIGITS = 3;

  private final Recorder freshness = new Recorder(LONGEST_NANOS, DIGITS);
  private final AtomicLong atRisk = new AtomicLong();
  private final AtomicLong mostAtRisk = new AtomicLong();
  // Each write takes off the time of its begin and adds that of its end: together with those that
  // are at risk at the
  // window's edges that is the area below their number. Overflows of single terms cancel out.
  private final LongAdder riskNanos = new LongAdder();
  private volatile long atWindowsBegin;
  private volatile long windowNanos;
  private final LongAdder flushes = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile @Nullable RecentWrites recent;

  /** Whom to tell as well of writes that are on the server; nobody if null. */
  void watch(@Nullable RecentWrites watching) {
    recent = watching;
  }

  /** A write is about to be acknowledged to the caller. */
  void deferred(long nowNanos) {
    riskNanos.add(-nowNanos);
    long now = atRisk.incrementAndGet();
    if (now > mostAtRisk.get()) {
      mostAtRisk.accumulateAndGet(now, Math::max);
    }
  }

  /**
   * A write that was not deferred after all.
   *
   * @return writes that are left at risk
   */
  long refused(long nowNanos) {
    riskNanos.add(nowNanos);
    return atRisk.decrementAndGet();
  }

  /**
   * A deferred write is on the server.
   *
   * @return writes that are left at risk
   */
  long landed(Write write, long nowNanos) {
    visible(nowNanos - write.calledNanos);
    riskNanos.add(nowNanos);
    return atRisk.decrementAndGet();
  }

  /**
   * A deferred write will not be on the server.
   *
   * @return writes that are left at risk
   */
  long failed(Write write, long nowNanos) {
    failed.increment();
    riskNanos.add(nowNanos);
    return atRisk.decrementAndGet();
  }

  /** A write is on the server that long after its call. */
  void visible(long nanos) {
    freshness.recordValue(Math.max(0, Math.min(LONGEST_NANOS, nanos)));
    RecentWrites watching = recent;
    if (watching != null) {
      watching.visible(nanos);
    }
  }

  void flushed() {
    flushes.increment();
  }

  long atRisk() {
    return atRisk.get();
  }

  /** Forgets all but the writes that are at risk now. */
  void beginWindow(long nowNanos) {
    freshness.reset();
    mostAtRisk.set(atRisk.get());
    windowNanos = nowNanos;
    riskNanos.reset();
    atWindowsBegin = atRisk.get();
    flushes.reset();
    failed.reset();
  }

  /** Since the window's begin; to be asked once, at its end. */
  DeferralFigures figures(long nowNanos) {
    Histogram histogram = freshness.getIntervalHistogram();
    return new DeferralFigures(
        histogram.getTotalCount(),
        histogram.getValueAtPercentile(50),
        histogram.getValueAtPercentile(99),
        histogram.getMaxValue(),
        flushes.sum(),
        failed.sum(),
        riskNanos.sum() + atRisk.get() * nowNanos - atWindowsBegin * windowNanos,
        mostAtRisk.get(),
        atRisk.get());
  }
}
