package org.calando.core.staleness;

import java.util.Arrays;

/**
 * The keys of the reads with the smallest random numbers: a random sample without replacement.
 * Thread safe; an offer that is not taken costs one comparison.
 */
final class ReadSample {
  private final int size;
  private final int indexMask;
  // Random numbers whose low bits are the index of their key.
  private final long[] numbers;
  private final long[] keys;
  private final long[] kept;
  private int count;
  private volatile long limit = Long.MAX_VALUE;

  ReadSample(int size) {
    this.size = size;
    this.numbers = new long[2 * size];
    this.keys = new long[2 * size];
    this.kept = new long[size];
    this.indexMask = Integer.highestOneBit(2 * size - 1) * 2 - 1;
  }

  /**
   * Offers a read.
   *
   * @param number random, 0 or more
   */
  void offer(long key, long number) {
    if (number < limit) {
      take(key, number);
    }
  }

  private synchronized void take(long key, long number) {
    keys[count] = key;
    numbers[count] = (number & ~indexMask) | count;
    count++;
    if (count == numbers.length) {
      prune();
      limit = numbers[size - 1] & ~indexMask;
    }
  }

  /** Leaves the smallest, in their order. */
  private void prune() {
    Arrays.sort(numbers, 0, count);
    count = Math.min(count, size);
    for (int i = 0; i < count; i++) {
      kept[i] = keys[(int) numbers[i] & indexMask];
      numbers[i] = (numbers[i] & ~indexMask) | i;
    }
    System.arraycopy(kept, 0, keys, 0, count);
  }

  /** The keys sampled so far, in random order, with repeats. */
  synchronized long[] keys() {
    prune();
    return Arrays.copyOf(keys, count);
  }
}
