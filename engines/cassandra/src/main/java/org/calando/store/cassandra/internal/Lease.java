package org.calando.store.cassandra.internal;

import java.time.Duration;
import java.util.function.LongSupplier;

/*
 * The row's time to live begins when a coordinator writes it, which is after the request was sent;
 * so counted from there a lease is never believed for too long. Servers count in whole seconds,
 * which takes up to one second away.
 */
/** How long a claim that was confirmed is sure to hold, by this machine's clock. Thread safe. */
final class Lease {
  private static final long ROUNDING_NANOS = 1_000_000_000L;

  private final LongSupplier nanos;
  private final long lengthNanos;
  private long confirmedNanos;
  private boolean gap;

  /**
   * A lease that begins now.
   *
   * @param length time to live of the row, more than 1 s
   * @param nanos monotonic time
   */
  Lease(Duration length, LongSupplier nanos) {
    this.nanos = nanos;
    this.lengthNanos = length.toNanos() - ROUNDING_NANOS;
    this.confirmedNanos = nanos.getAsLong();
  }

  long nowNanos() {
    return nanos.getAsLong();
  }

  /** A request sent at that time has prolonged the lease. */
  synchronized void confirm(long sentNanos) {
    confirmedNanos = sentNanos;
  }

  /** There was no row for a while, so that somebody else may have had one. */
  synchronized void markGap() {
    gap = true;
  }

  /** What was before counts no more. */
  synchronized void forgetGap() {
    gap = false;
  }

  /** Whether somebody else may have had the claim since the last {@link #forgetGap}, or has it. */
  synchronized boolean hasLapsed() {
    return gap || nanos.getAsLong() - confirmedNanos >= lengthNanos;
  }
}
