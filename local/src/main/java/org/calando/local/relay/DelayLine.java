package org.calando.local.relay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Bytes on their way in one direction: first in, first out, each due a delay after it came in.
 * Bounded; not thread safe.
 *
 * <p>The delay that holds when bytes come in is theirs; where it has become shorter, they are due
 * no earlier than those before them, so that nothing is overtaken.
 *
 * <p>The bytes lie in a ring that doubles up to its limit. A queue of marks says until which byte
 * what is due when; bytes that are due within {@value #MERGE_NANOS} ns after a mark share it, and
 * so are early by at most that; this bounds the marks by the longest delay over that time.
 */
final class DelayLine {
  static final long MERGE_NANOS = 50_000;

  /** No byte is on its way. */
  static final long NEVER = Long.MAX_VALUE;

  private static final int FIRST_CAPACITY = 16 * 1024;

  /** Memory that lines share; not thread safe. */
  static final class Budget {
    private long leftBytes;

    Budget(long bytes) {
      leftBytes = bytes;
    }

    boolean has(long bytes) {
      return leftBytes >= bytes;
    }

    void take(long bytes) {
      leftBytes -= bytes;
    }

    void give(long bytes) {
      leftBytes += bytes;
    }
  }

  private final int limit;
  private final Budget budget;
  private LongSupplier delayNanos = () -> 0;
  private ByteBuffer ring = ByteBuffer.allocateDirect(0);
  private long taken;
  private long given;

  private long[] markEnd = new long[16];
  private long[] markDueNanos = new long[16];
  private int firstMark;
  private int marks;

  /**
   * An empty line without a delay.
   *
   * @param limit most bytes held, a power of two
   * @param budget what all lines together may hold
   */
  DelayLine(int limit, Budget budget) {
    this.budget = budget;
    this.limit = limit;
  }

  /**
   * Gives a line without a delay one: the bytes on their way get it as it is now, those to come as
   * it is when they come in.
   */
  void delay(LongSupplier newDelayNanos) {
    delayNanos = newDelayNanos;
    long now = newDelayNanos.getAsLong();
    for (int i = 0; i < marks; i++) {
      markDueNanos[(firstMark + i) & (markDueNanos.length - 1)] += now;
    }
  }

  /** Bytes held. */
  int size() {
    return (int) (taken - given);
  }

  boolean isEmpty() {
    return taken == given;
  }

  /** True if nothing more can be taken in. */
  boolean isFull() {
    return size() == ring.capacity()
        && (ring.capacity() == limit || !budget.has(nextCapacity() - ring.capacity()));
  }

  /** When the oldest byte is due, or {@link #NEVER}. */
  long dueNanos() {
    return marks == 0 ? NEVER : markDueNanos[firstMark];
  }

  /** When what comes in now is due: not before what came in before it. */
  long dueNanos(long nowNanos) {
    long due = nowNanos + delayNanos.getAsLong();
    return marks == 0 ? due : Math.max(due, markDueNanos[lastMark()]);
  }

  /** A byte held, counted from the oldest. */
  byte peek(int index) {
    return ring.clear().get((int) ((given + index) & (ring.capacity() - 1)));
  }

  /**
   * Takes in what the channel has, as far as there is room.
   *
   * @param clock the time in nanoseconds
   * @return bytes taken in, or -1 at the end of the stream
   */
  int readFrom(ReadableByteChannel channel, LongSupplier clock) throws IOException {
    int total = 0;
    while (!isFull()) {
      if (size() == ring.capacity()) {
        grow();
      }
      int read = channel.read(free());
      if (read <= 0) {
        if (total == 0) {
          return read;
        }
        break;
      }
      taken += read;
      total += read;
    }
    if (total > 0) {
      // Stamped after the reading: a byte may be late by a pause in between, but never early.
      mark(clock.getAsLong());
    }
    return total;
  }

  /** Gives what is due, as far as the channel takes it, and returns how many bytes that were. */
  int writeTo(WritableByteChannel channel, long nowNanos) throws IOException {
    int total = 0;
    while (marks > 0 && dueNanos() <= nowNanos) {
      int written = channel.write(due(markEnd[firstMark]));
      if (written == 0) {
        break;
      }
      given += written;
      total += written;
      if (given == markEnd[firstMark]) {
        firstMark = (firstMark + 1) & (markEnd.length - 1);
        marks--;
      }
    }
    return total;
  }

  private ByteBuffer free() {
    int from = (int) (taken & (ring.capacity() - 1));
    int length = Math.min(ring.capacity() - size(), ring.capacity() - from);
    return ring.limit(from + length).position(from);
  }

  private ByteBuffer due(long end) {
    int from = (int) (given & (ring.capacity() - 1));
    int length = (int) Math.min(end - given, ring.capacity() - from);
    return ring.limit(from + length).position(from);
  }

  /** Gives the memory back; the line is not used after. */
  void release() {
    budget.give(ring.capacity());
    ring = ByteBuffer.allocate(0);
    given = taken;
    marks = 0;
  }

  private int nextCapacity() {
    return Math.min(limit, Math.max(FIRST_CAPACITY, 2 * ring.capacity()));
  }

  /** Doubles a full ring: its two halves move to where their numbers belong in the larger one. */
  private void grow() {
    int capacity = ring.capacity();
    int larger = nextCapacity();
    budget.take(larger - capacity);
    ByteBuffer next = ByteBuffer.allocateDirect(larger);
    if (capacity > 0) {
      ring.clear();
      int from = (int) (given & (capacity - 1));
      next.put((int) (given & (larger - 1)), ring, from, capacity - from);
      next.put((int) ((given + capacity - from) & (larger - 1)), ring, 0, from);
    }
    ring = next;
  }

  private void mark(long nowNanos) {
    long due = dueNanos(nowNanos);
    if (marks > 0 && due - markDueNanos[lastMark()] < MERGE_NANOS) {
      markEnd[lastMark()] = taken;
      return;
    }
    if (marks == markEnd.length) {
      growMarks();
    }
    int next = (firstMark + marks) & (markEnd.length - 1);
    markEnd[next] = taken;
    markDueNanos[next] = due;
    marks++;
  }

  private int lastMark() {
    return (firstMark + marks - 1) & (markEnd.length - 1);
  }

  private void growMarks() {
    int old = markEnd.length;
    long[] ends = Arrays.copyOf(markEnd, 2 * old);
    long[] times = Arrays.copyOf(markDueNanos, 2 * old);
    for (int i = 0; i < old; i++) {
      ends[i] = markEnd[(firstMark + i) & (old - 1)];
      times[i] = markDueNanos[(firstMark + i) & (old - 1)];
    }
    markEnd = ends;
    markDueNanos = times;
    firstMark = 0;
  }
}
