package org.calando.sim.cluster;

import java.util.Arrays;
import org.calando.core.store.ConsistencyLevel;

/**
 * Writes of a requester, or of one of its tags, that have not been sent. Not thread safe; allocates
 * only when it grows.
 */
final class ClientBuffer {
  /** As a time: never. */
  static final long NEVER = Long.MAX_VALUE;

  final int number;
  final int requester;
  long[] keys = new long[16];
  long[] versions = new long[16];
  long[] calledNanos = new long[16];
  ConsistencyLevel level = ConsistencyLevel.ONE;
  int size;

  /** When the oldest came. */
  long sinceNanos;

  /** When its age is looked at next. */
  long armedNanos = NEVER;

  /**
   * An empty one.
   *
   * @param number among all buffers
   * @param requester whose it is
   */
  ClientBuffer(int number, int requester) {
    this.number = number;
    this.requester = requester;
  }

  void add(long key, long version, long called) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
      versions = Arrays.copyOf(versions, 2 * size);
      calledNanos = Arrays.copyOf(calledNanos, 2 * size);
    }
    keys[size] = key;
    versions[size] = version;
    calledNanos[size++] = called;
  }
}
