package org.calando.sim.kernel;

import java.util.Arrays;

/*
 * A heap of four children a parent: half as deep as a binary one, and the times of all children of
 * a parent, side by side, are at most two lines of cache. The heap moves a time and the number of a
 * slot; what else belongs to an event stays where it is, in its slot. Places of the heap's array
 * beyond its size hold the numbers of free slots, so that these need no list of their own.
 *
 * Most events schedule one other, so the place of the event taken last is left open: the next one
 * to be added sinks from there, which spares the way of the heap's last event down and its own way
 * up.
 */
/**
 * Events in order of time, and of arrival at equal times. Allocates only when it grows. Not thread
 * safe.
 */
final class EventQueue {
  private static final int FIRST_CAPACITY = 256;

  private final int capacity;
  private long[] times = new long[FIRST_CAPACITY];
  private int[] slots = new int[FIRST_CAPACITY];
  private long[] sequences = new long[FIRST_CAPACITY];
  private long[] events = new long[FIRST_CAPACITY];
  private int size;
  private long added;
  private boolean open;

  /**
   * An empty queue.
   *
   * @param capacity most events that may wait, 256 or more
   */
  EventQueue(int capacity) {
    if (capacity < FIRST_CAPACITY) {
      throw new IllegalArgumentException("capacity " + capacity + " < " + FIRST_CAPACITY);
    }
    this.capacity = capacity;
    number(0);
  }

  /** Events that wait. */
  int size() {
    return open ? size - 1 : size;
  }

  /**
   * Adds an event.
   *
   * @throws IllegalStateException if the queue is full
   */
  void add(long nanos, long event) {
    int place;
    int slot;
    if (open) {
      open = false;
      place = 0;
      slot = slots[0];
      sequences[slot] = added++;
      events[slot] = event;
      sink(nanos, slot);
    } else {
      if (size == times.length) {
        grow();
      }
      place = size++;
      slot = slots[place];
      sequences[slot] = added++;
      events[slot] = event;
      rise(place, nanos, slot);
    }
  }

  /** The time of the first event; Long.MAX_VALUE if none waits. */
  long firstNanos() {
    if (open) {
      close();
    }
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  /** Takes the first event, at {@link #firstNanos}; there must be one. */
  long remove() {
    if (open) {
      close();
    }
    if (size == 0) {
      throw new IllegalStateException("no event waits");
    }
    open = true;
    return events[slots[0]];
  }

  /** Closes the place of the event taken last with the last event of the heap. */
  private void close() {
    open = false;
    int freed = slots[0];
    size--;
    if (size > 0) {
      sink(times[size], slots[size]);
    }
    slots[size] = freed;
  }

  /** A new event comes after all others of its time, so only its time counts on the way up. */
  private void rise(int from, long nanos, int slot) {
    final long[] t = times;
    final int[] s = slots;
    int hole = from;
    while (hole > 0) {
      int parent = (hole - 1) >>> 2;
      if (t[parent] <= nanos) {
        break;
      }
      t[hole] = t[parent];
      s[hole] = s[parent];
      hole = parent;
    }
    t[hole] = nanos;
    s[hole] = slot;
  }

  private void sink(long nanos, int slot) {
    final long[] t = times;
    final int[] s = slots;
    final int end = size;
    final long sequence = sequences[slot];
    int hole = 0;
    int child = 1;
    while (child < end) {
      int best = firstOf(child, Math.min(child + 4, end));
      long bestNanos = t[best];
      if (nanos < bestNanos || (nanos == bestNanos && sequence < sequences[s[best]])) {
        break;
      }
      t[hole] = bestNanos;
      s[hole] = s[best];
      hole = best;
      child = 4 * hole + 1;
    }
    t[hole] = nanos;
    s[hole] = slot;
  }

  private int firstOf(int from, int to) {
    final long[] t = times;
    int best = from;
    long bestNanos = t[from];
    for (int i = from + 1; i < to; i++) {
      long nanos = t[i];
      if (nanos < bestNanos
          || (nanos == bestNanos && sequences[slots[i]] < sequences[slots[best]])) {
        best = i;
        bestNanos = nanos;
      }
    }
    return best;
  }

  private void grow() {
    if (times.length == capacity) {
      throw new IllegalStateException("more than " + capacity + " events wait");
    }
    int before = times.length;
    int length = (int) Math.min(capacity, 2L * before);
    times = Arrays.copyOf(times, length);
    slots = Arrays.copyOf(slots, length);
    sequences = Arrays.copyOf(sequences, length);
    events = Arrays.copyOf(events, length);
    number(before);
  }

  private void number(int from) {
    for (int i = from; i < slots.length; i++) {
      slots[i] = i;
    }
  }
}
