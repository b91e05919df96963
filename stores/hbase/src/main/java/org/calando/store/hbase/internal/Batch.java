package org.calando.store.hbase.internal;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes that were taken from a buffer to be sent together. Thread safe. */
final class Batch {
  private final List<Write> writes;
  private final AtomicInteger left;

  Batch(List<Write> writes) {
    this.writes = writes;
    this.left = new AtomicInteger(writes.size());
  }

  /** Not to be changed. */
  List<Write> writes() {
    return writes;
  }

  /** One of its writes has ended; whether it was the last. */
  boolean ended() {
    return left.decrementAndGet() == 0;
  }
}
