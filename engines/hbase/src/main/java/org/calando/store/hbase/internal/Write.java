package org.calando.store.hbase.internal;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.apache.hadoop.hbase.client.Put;

/** One write, from its call to the server's answer. Not thread safe: each step hands it on. */
final class Write {
  private static final AtomicIntegerFieldUpdater<Write> ENDED =
      AtomicIntegerFieldUpdater.newUpdater(Write.class, "ended");

  final long key;
  final long version;
  final Put put;
  final long bytes;
  final long calledNanos;

  /** When the caller was told that it is done. */
  long acknowledgedNanos;

  /** Whether reads see it while it is not on the server. */
  boolean overlaid;

  /** Whether it was sent by itself after a batch had failed. */
  boolean sentAlone;

  @SuppressWarnings("UnusedVariable") // read by way of its updater
  private volatile int ended;

  Write(long key, long version, Put put, long calledNanos) {
    this.key = key;
    this.version = version;
    this.put = put;
    this.bytes = put.heapSize();
    this.calledNanos = calledNanos;
  }

  /** Ends it; whether nobody else had. Thread safe. */
  boolean end() {
    return ENDED.compareAndSet(this, 0, 1);
  }
}
