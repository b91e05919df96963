package org.calando.sim.kernel;

import java.util.Arrays;

/**
 * Slots of events in order of time, then of arrival: a heap of four children a parent. Allocates
 * only when it grows. Not thread safe.
 */
final class LateEvents {
  private long[] times = new long[64];
  private long[] sequences = new long[64];
  private int[] slots = new int[64];
  private int size;
  private long added;

  int size() {
    return size;
  }

  void add(long nanos, int slot) {
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      sequences = Arrays.copyOf(sequences, 2 * size);
      slots = Arrays.copyOf(slots, 2 * size);
    }
    // A new event comes after all others of its time, so only its time counts on the way up.
    int hole = size++;
    while (hole > 0) {
      int parent = (hole - 1) >>> 2;
      if (times[parent] <= nanos) {
        break;
      }
      move(parent, hole);
      hole = parent;
    }
    put(hole, nanos, added++, slot);
  }

  /** The time of the first event; Long.MAX_VALUE if there is none. */
  long firstNanos() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  /** Takes the slot of the first event; there must be one. */
  int remove() {
    int first = slots[0];
    size--;
    if (size > 0) {
      sink(times[size], sequences[size], slots[size]);
    }
    return first;
  }

  private void sink(long nanos, long sequence, int slot) {
    int hole = 0;
    int child = 1;
    while (child < size) {
      int best = child;
      for (int i = child + 1; i < Math.min(child + 4, size); i++) {
        if (isBefore(times[i], sequences[i], best)) {
          best = i;
        }
      }
      if (isBefore(nanos, sequence, best)) {
        break;
      }
      move(best, hole);
      hole = best;
      child = 4 * hole + 1;
    }
    put(hole, nanos, sequence, slot);
  }

  private boolean isBefore(long nanos, long sequence, int place) {
    return nanos < times[place] || (nanos == times[place] && sequence < sequences[place]);
  }

  private void move(int from, int to) {
    put(to, times[from], sequences[from], slots[from]);
  }

  private void put(int place, long nanos, long sequence, int slot) {
    times[place] = nanos;
    sequences[place] = sequence;
    slots[place] = slot;
  }
}
