package org.calando.core.time;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap of tasks in order of time, then of arrival, in arrays so that adding a task
 * allocates nothing. Not thread safe.
 */
final class TaskHeap {
  private final int capacity;
  private long[] times;
  private long[] sequences;
  private @Nullable Runnable[] tasks;
  private int size;
  private long added;

  /** An empty heap for at most so many tasks. */
  TaskHeap(int capacity) {
    this.capacity = capacity;
    int initial = Math.min(capacity, 64);
    times = new long[initial];
    sequences = new long[initial];
    tasks = new Runnable[initial];
  }

  /** Adds a task unless the heap is full; says whether it did. */
  boolean add(long nanos, Runnable task) {
    if (size == capacity) {
      return false;
    }
    if (size == times.length) {
      grow();
    }
    int hole = size++;
    long sequence = added++;
    while (hole > 0) {
      int parent = (hole - 1) >>> 1;
      if (!before(nanos, sequence, parent)) {
        break;
      }
      move(parent, hole);
      hole = parent;
    }
    put(hole, nanos, sequence, task);
    return true;
  }

  /** Takes the first task, or returns null if the heap is empty. */
  @Nullable Runnable poll() {
    if (size == 0) {
      return null;
    }
    Runnable first = tasks[0];
    size--;
    Runnable last = tasks[size];
    tasks[size] = null;
    if (size > 0 && last != null) {
      sink(times[size], sequences[size], last);
    }
    return first;
  }

  /** The time of the first task; Long.MAX_VALUE if the heap is empty. */
  long firstNanos() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  /** Forgets all tasks. */
  void clear() {
    Arrays.fill(tasks, 0, size, null);
    size = 0;
  }

  private void sink(long nanos, long sequence, Runnable task) {
    int hole = 0;
    for (int child = 1; child < size; child = 2 * hole + 1) {
      int right = child + 1;
      if (right < size && before(times[right], sequences[right], child)) {
        child = right;
      }
      if (before(nanos, sequence, child)) {
        break;
      }
      move(child, hole);
      hole = child;
    }
    put(hole, nanos, sequence, task);
  }

  private boolean before(long nanos, long sequence, int index) {
    return nanos != times[index] ? nanos < times[index] : sequence < sequences[index];
  }

  private void move(int from, int to) {
    times[to] = times[from];
    sequences[to] = sequences[from];
    tasks[to] = tasks[from];
  }

  private void put(int index, long nanos, long sequence, Runnable task) {
    times[index] = nanos;
    sequences[index] = sequence;
    tasks[index] = task;
  }

  private void grow() {
    int length = Math.min(capacity, 2 * times.length);
    times = Arrays.copyOf(times, length);
    sequences = Arrays.copyOf(sequences, length);
    tasks = Arrays.copyOf(tasks, length);
  }
}
