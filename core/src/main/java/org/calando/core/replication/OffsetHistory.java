package org.calando.core.replication;

import java.util.OptionalLong;

/** The newest offsets that a master told, by time. Not thread safe. */
final class OffsetHistory {
  /** 25 s of a poll each 100 ms: longer than any lag that is still to be judged by its time. */
  private static final int SAMPLES = 256;

  private final long[] atNanos = new long[SAMPLES];
  private final long[] offsets = new long[SAMPLES];
  private int size;
  private int next;

  /** Adds what was told; an offset that went back is another stream, which starts anew. */
  void add(long timeNanos, long offset) {
    if (size > 0 && (offset < offsets[index(size - 1)] || timeNanos <= atNanos[index(size - 1)])) {
      clear();
    }
    atNanos[next] = timeNanos;
    offsets[next] = offset;
    next = (next + 1) % SAMPLES;
    size = Math.min(SAMPLES, size + 1);
  }

  void clear() {
    size = 0;
    next = 0;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** What was told last, of a history that is not empty. */
  long newest() {
    return offsets[index(size - 1)];
  }

  /** The master's offset at a time, in between interpolated; the nearest outside what is known. */
  long offsetAt(long timeNanos) {
    int after = size;
    while (after > 0 && atNanos[index(after - 1)] >= timeNanos) {
      after--;
    }
    if (after == 0) {
      return offsets[index(0)];
    }
    if (after == size) {
      return newest();
    }
    int left = index(after - 1);
    int right = index(after);
    double share = (double) (timeNanos - atNanos[left]) / (atNanos[right] - atNanos[left]);
    return offsets[left] + (long) (share * (offsets[right] - offsets[left]));
  }

  /**
   * How long before {@code timeNanos} the master had written no more than the offset: 0 if it had
   * not written more by then. If it had written more before all that is known, the age of that,
   * which is a lower bound; empty while less is known than is remembered, as that says little.
   */
  OptionalLong ageNanos(long timeNanos, long offset) {
    if (offset >= offsetAt(timeNanos)) {
      return OptionalLong.of(0);
    }
    int last = size - 1;
    while (last > 0 && offsets[index(last)] > offset) {
      last--;
    }
    int left = index(last);
    if (offsets[left] > offset) {
      return size == SAMPLES
          ? OptionalLong.of(Math.max(0, timeNanos - atNanos[left]))
          : OptionalLong.empty();
    }
    int right = index(last + 1);
    double share = (double) (offset - offsets[left]) / (offsets[right] - offsets[left]);
    long since = atNanos[left] + (long) (share * (atNanos[right] - atNanos[left]));
    return OptionalLong.of(Math.max(0, timeNanos - since));
  }

  /** The place of the i-th oldest sample. */
  private int index(int i) {
    return Math.floorMod(next - size + i, SAMPLES);
  }
}
