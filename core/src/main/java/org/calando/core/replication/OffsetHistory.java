package org.calando.core.replication;

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
   * not written more by then, and the age of all that is known if it had written more before.
   */
  long ageNanos(long timeNanos, long offset) {
    if (offset >= offsetAt(timeNanos)) {
      return 0;
    }
    int last = size - 1;
    while (last > 0 && offsets[index(last)] > offset) {
      last--;
    }
    int left = index(last);
    if (offsets[left] > offset) {
      return Math.max(0, timeNanos - atNanos[left]);
    }
    int right = index(last + 1);
    double share = (double) (offset - offsets[left]) / (offsets[right] - offsets[left]);
    long since = atNanos[left] + (long) (share * (atNanos[right] - atNanos[left]));
    return Math.max(0, timeNanos - since);
  }

  /** The place of the i-th oldest sample. */
  private int index(int i) {
    return Math.floorMod(next - size + i, SAMPLES);
  }
}
