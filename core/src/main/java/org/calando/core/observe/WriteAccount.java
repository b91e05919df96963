package org.calando.core.observe;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.calando.core.store.DeferralFigures;
import org.calando.core.store.WriteListener;
import org.jspecify.annotations.Nullable;

/**
 * Counts what becomes of writes: those that only their client has, and how long each takes from its
 * call until it is on the server. Thread safe.
 */
public final class WriteAccount {
  private final TimeCounts freshness = new TimeCounts();
  private final AtomicLong longest = new AtomicLong();
  private final AtomicLong atRisk = new AtomicLong();
  private final AtomicLong mostAtRisk = new AtomicLong();
  // Each write takes off the time of its begin and adds that of its end: together with those that
  // are at risk at a moment that is the area below their number until then. Nothing is reset, so
  // that the area of a window is a difference. A write that begins or ends while a moment is looked
  // at may be off by as long as the account is old, which is why times are since its begin.
  private final LongAdder riskNanos = new LongAdder();
  private final long originNanos;
  private volatile long areaAtBegin;
  private volatile TimeCounts.Snapshot freshnessAtBegin = freshness.snapshot();
  private final LongAdder flushes = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder missed = new LongAdder();
  private volatile long flushesAtBegin;
  private volatile long failedAtBegin;
  private volatile long missedAtBegin;
  private volatile @Nullable WriteListener recent;

  /**
   * An account of no writes.
   *
   * @param originNanos the time now, on the clock of all times that it is told
   */
  public WriteAccount(long originNanos) {
    this.originNanos = originNanos;
  }

  /** Whom to tell as well of writes that are on the server; nobody if null. */
  public void watch(@Nullable WriteListener watching) {
    recent = watching;
  }

  /** A write is about to be acknowledged to the caller. */
  public void deferred(long nowNanos) {
    riskNanos.add(originNanos - nowNanos);
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
  public long refused(long nowNanos) {
    riskNanos.add(nowNanos - originNanos);
    return atRisk.decrementAndGet();
  }

  /**
   * A deferred write is on the server.
   *
   * @param calledNanos when it was called
   * @return writes that are left at risk
   */
  public long landed(long calledNanos, long nowNanos) {
    visible(nowNanos - calledNanos);
    riskNanos.add(nowNanos - originNanos);
    return atRisk.decrementAndGet();
  }

  /**
   * A deferred write will not be on the server.
   *
   * @return writes that are left at risk
   */
  public long failed(long nowNanos) {
    failed.increment();
    riskNanos.add(nowNanos - originNanos);
    return atRisk.decrementAndGet();
  }

  /** A write is on the server that long after its call. */
  public void visible(long nanos) {
    freshness.record(nanos);
    if (nanos > longest.get()) {
      longest.accumulateAndGet(nanos, Math::max);
    }
    WriteListener watching = recent;
    if (watching != null) {
      watching.visible(nanos);
    }
  }

  /** A write that was not deferred has failed, and its caller was told. */
  public void missed() {
    missed.increment();
  }

  /** A buffer is sent. */
  public void flushed() {
    flushes.increment();
  }

  /** Writes that only their client has. */
  public long atRisk() {
    return atRisk.get();
  }

  /** Forgets all but the writes that are at risk now. */
  public void beginWindow(long nowNanos) {
    freshnessAtBegin = freshness.snapshot();
    longest.set(0);
    mostAtRisk.set(atRisk.get());
    areaAtBegin = area(nowNanos);
    flushesAtBegin = flushes.sum();
    failedAtBegin = failed.sum();
    missedAtBegin = missed.sum();
  }

  /** Writes at risk times nanoseconds, since the account's begin. */
  private long area(long nowNanos) {
    return riskNanos.sum() + atRisk.get() * (nowNanos - originNanos);
  }

  /** Since the window's begin. */
  public DeferralFigures figures(long nowNanos) {
    return figures(nowNanos, freshness.snapshot().since(freshnessAtBegin));
  }

  /**
   * The same, with the share that was as fresh as promised. It is never overstated: a write that
   * was less than 1.6 % of the promised time before its end may count as late.
   */
  public DeferralFigures figures(long nowNanos, long promisedNanos) {
    TimeCounts.Snapshot fresh = freshness.snapshot().since(freshnessAtBegin);
    return figures(nowNanos, fresh).kept(fresh.atMost(promisedNanos), missed.sum() - missedAtBegin);
  }

  private DeferralFigures figures(long nowNanos, TimeCounts.Snapshot fresh) {
    long most = longest.get();
    return new DeferralFigures(
        fresh.total(),
        Math.min(most, fresh.percentile(50)),
        Math.min(most, fresh.percentile(99)),
        most,
        flushes.sum() - flushesAtBegin,
        failed.sum() - failedAtBegin,
        area(nowNanos) - areaAtBegin,
        mostAtRisk.get(),
        atRisk.get());
  }
}
