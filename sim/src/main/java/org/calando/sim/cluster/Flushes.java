package org.calando.sim.cluster;

import java.util.Arrays;
import org.calando.core.store.Outcome;

/**
 * Buffers that are being sent: how many of each one's writes are left, and who waits for the last
 * of them; and each of the writes. Not thread safe; allocates only when it grows.
 */
final class Flushes {
  private int[] left = new int[0];
  private int[] size = new int[0];
  private int[] requester = new int[0];
  private int[] tag = new int[0];
  private long[] begun = new long[0];
  private Outcome[] outcome = new Outcome[0];
  private int[] free = new int[0];
  private int freeCount;

  // Of writes.
  private int[] flushOf = new int[0];
  private long[] called = new long[0];
  private boolean[] last = new boolean[0];
  private int[] freeEntries = new int[0];
  private int freeEntryCount;

  /**
   * Begins one.
   *
   * @param writes that it carries
   * @param from whose they are
   * @param waiting the tag of the write whose caller waits; below 0 for none
   * @return its number
   */
  int begin(int writes, int from, int waiting, long nowNanos) {
    if (freeCount == 0) {
      grow();
    }
    int flush = free[--freeCount];
    left[flush] = writes;
    size[flush] = writes;
    requester[flush] = from;
    tag[flush] = waiting;
    begun[flush] = nowNanos;
    return flush;
  }

  /** A write of a flush, as the number that is its tag. */
  int entry(int flush, long calledNanos, boolean isLast) {
    if (freeEntryCount == 0) {
      growEntries();
    }
    int entry = freeEntries[--freeEntryCount];
    flushOf[entry] = flush;
    called[entry] = calledNanos;
    last[entry] = isLast;
    return entry;
  }

  int flushOf(int entry) {
    return flushOf[entry];
  }

  long called(int entry) {
    return called[entry];
  }

  /** Whether it came into its buffer last. */
  boolean isLast(int entry) {
    return last[entry];
  }

  /** A write has ended; its number may be given to another. */
  void free(int entry) {
    freeEntries[freeEntryCount++] = entry;
  }

  /** One of a flush's writes has ended; whether it was the last, whose figures stay until begun. */
  boolean endOne(int flush) {
    if (--left[flush] > 0) {
      return false;
    }
    free[freeCount++] = flush;
    return true;
  }

  int size(int flush) {
    return size[flush];
  }

  int requester(int flush) {
    return requester[flush];
  }

  int tag(int flush) {
    return tag[flush];
  }

  long begun(int flush) {
    return begun[flush];
  }

  Outcome outcome(int flush) {
    return outcome[flush];
  }

  void outcome(int flush, Outcome ofLast) {
    outcome[flush] = ofLast;
  }

  private void grow() {
    int old = left.length;
    int length = Math.max(16, 2 * old);
    left = Arrays.copyOf(left, length);
    size = Arrays.copyOf(size, length);
    requester = Arrays.copyOf(requester, length);
    tag = Arrays.copyOf(tag, length);
    begun = Arrays.copyOf(begun, length);
    outcome = Arrays.copyOf(outcome, length);
    free = Arrays.copyOf(free, length);
    for (int flush = length - 1; flush >= old; flush--) {
      free[freeCount++] = flush;
    }
  }

  private void growEntries() {
    int old = flushOf.length;
    int length = Math.max(64, 2 * old);
    flushOf = Arrays.copyOf(flushOf, length);
    called = Arrays.copyOf(called, length);
    last = Arrays.copyOf(last, length);
    freeEntries = Arrays.copyOf(freeEntries, length);
    for (int entry = length - 1; entry >= old; entry--) {
      freeEntries[freeEntryCount++] = entry;
    }
  }
}
