package org.calando.store.hbase.internal;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes that were taken from a buffer to be sent together. Thread safe. */
final class Batch {
  private final List<Write> writes;
  private final long dueNanos;
  private final AtomicInteger left;

  /**
   * Writes that are to be sent.
   *
   * @param dueNanos when they were to be, which may be before now: a timer may be late
   */
  Batch(List<Write> writes, long dueNanos) {
    this.writes = writes;
    this.dueNanos = dueNanos;
    this.left = new AtomicInteger(writes.size());
  }

  /** Not to be changed. */
  List<Write> writes() {
    return writes;
  }

  /** When they were to be sent. */
  long dueNanos() {
    return dueNanos;
  }

  /** One of its writes has ended; whether it was the last. */
  boolean ended() {
    return left.decrementAndGet() == 0;
  }
}
