package org.calando.sim.kernel;

import java.util.Arrays;

/*
 * A calendar queue (Brown, "Calendar queues: a fast O(1) priority queue implementation for the
 * simulation event set problem", 1988): time is cut into days of 2^shift ns, the next 2^k days have
 * a sorted list of events each, and a bit that says whether it is empty. With one or two events a
 * day nothing is compared that could not be foreseen, which is what a heap spends its time with.
 * What lies beyond the year waits in a heap, and comes in as soon as the year reaches it:
 *
 *   day of the last event taken <= days in the calendar < that day + 2^k <= days in the heap
 *
 * always holds, so that of two events of one time the one that was added first is always the first
 * in its list. Length and number of days follow the events' mean gap and number; the order of
 * events does not depend on them.
 */
/**
 * Events in order of time, and of arrival at equal times. Allocates only when it grows. Not thread
 * safe.
 */
final class EventQueue {
  private static final int NONE = -1;
  private static final int FIRST_CAPACITY = 256;
  private static final int LEAST_DAYS = 1 << 8;
  private static final int MOST_DAYS = 1 << 20;
  private static final int LEAST_PERIOD = 1 << 12;
  private static final int MOST_SHIFT = 40;

  /** Events passed over for each one added, on average, from which days are too long. */
  private static final long MOST_STEPS = 4;

  private final int capacity;
  private final LateEvents late = new LateEvents();

  // By slot.
  private long[] times = new long[FIRST_CAPACITY];
  private long[] events = new long[FIRST_CAPACITY];
  private int[] next = new int[FIRST_CAPACITY];

  /** First of the free slots, which are linked by {@link #next}. */
  private int free = NONE;

  // By day.
  private int[] heads = new int[0];
  private int[] tails = new int[0];
  private long[] occupied = new long[0];

  private int shift = 14;
  private int mask;
  private long today;

  /** The first day with an event, or NONE if it has to be looked for. */
  private long firstDay = NONE;

  private int size;
  private int inCalendar;
  private int removed;
  private int period = LEAST_PERIOD;
  private long reviewedNanos;
  private long steps;

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
    setFree(0);
    setDays(1 << 10);
  }

  /** Events that wait. */
  int size() {
    return size;
  }

  /**
   * Adds an event.
   *
   * @param nanos its time, not before that of the last one removed
   * @throws IllegalStateException if the queue is full
   */
  void add(long nanos, long event) {
    if (free == NONE) {
      grow();
    }
    int slot = free;
    free = next[slot];
    times[slot] = nanos;
    events[slot] = event;
    size++;
    long day = nanos >>> shift;
    if (day - today <= mask) {
      enter(day, nanos, slot);
    } else {
      late.add(nanos, slot);
    }
  }

  /** The time of the first event; Long.MAX_VALUE if none waits. */
  long firstNanos() {
    if (inCalendar == 0) {
      return late.firstNanos();
    }
    if (firstDay == NONE) {
      firstDay = findDay();
    }
    return times[heads[(int) firstDay & mask]];
  }

  /** Takes the first event, at {@link #firstNanos}; there must be one. */
  long remove() {
    if (size == 0) {
      throw new IllegalStateException("no event waits");
    }
    long nanos = firstNanos();
    long day = nanos >>> shift;
    if (day != today) {
      today = day;
      callIn();
    }
    int index = (int) day & mask;
    int slot = heads[index];
    int following = next[slot];
    heads[index] = following;
    if (following == NONE) {
      occupied[index >> 6] &= ~(1L << index);
      firstDay = NONE;
    } else {
      firstDay = day;
    }
    inCalendar--;
    size--;
    next[slot] = free;
    free = slot;
    if (++removed >= period || steps > MOST_STEPS * period) {
      review(nanos);
    }
    return events[slot];
  }

  /** Brings the events in that the year has reached. */
  private void callIn() {
    while (late.size() > 0 && (late.firstNanos() >>> shift) - today <= mask) {
      int slot = late.remove();
      enter(times[slot] >>> shift, times[slot], slot);
    }
  }

  private void enter(long day, long nanos, int slot) {
    int index = (int) day & mask;
    inCalendar++;
    if (firstDay != NONE && day < firstDay) {
      firstDay = day;
    } else if (inCalendar == 1) {
      firstDay = day;
    }
    int head = heads[index];
    if (head == NONE) {
      heads[index] = slot;
      tails[index] = slot;
      next[slot] = NONE;
      occupied[index >> 6] |= 1L << index;
    } else if (times[tails[index]] <= nanos) {
      next[tails[index]] = slot;
      tails[index] = slot;
      next[slot] = NONE;
    } else if (nanos < times[head]) {
      heads[index] = slot;
      next[slot] = head;
    } else {
      insert(head, nanos, slot);
    }
  }

  /** Puts an event between others of its day. */
  private void insert(int head, long nanos, int slot) {
    int before = head;
    int after = next[head];
    while (times[after] <= nanos) {
      before = after;
      after = next[after];
      steps++;
    }
    next[before] = slot;
    next[slot] = after;
  }

  /** The first day with an event, of which there is one in the calendar. */
  private long findDay() {
    int begin = (int) today & mask;
    int word = begin >> 6;
    long bits = occupied[word] & (-1L << begin);
    while (bits == 0) {
      word = (word + 1) & (occupied.length - 1);
      bits = occupied[word];
    }
    int index = (word << 6) + Long.numberOfTrailingZeros(bits);
    return today + ((index - begin) & mask);
  }

  /** Looks whether the calendar still suits its events, and changes it if not. */
  private void review(long nanos) {
    long gap = Math.max(1, (nanos - reviewedNanos) / removed);
    // Two gaps a day; less where events crowd.
    int wantedShift = Math.min(MOST_SHIFT, 64 - Long.numberOfLeadingZeros(gap));
    if (steps > MOST_STEPS * removed) {
      wantedShift = Math.max(0, Math.min(wantedShift, shift) - 2);
    }
    int wantedDays = LEAST_DAYS;
    while (wantedDays < MOST_DAYS && wantedDays < 4L * size) {
      wantedDays <<= 1;
    }
    int days = mask + 1;
    if (Math.abs(wantedShift - shift) > 1 || wantedDays > days || wantedDays < days / 8) {
      rebuild(wantedShift, wantedDays);
    }
    period = Math.max(LEAST_PERIOD, size);
    removed = 0;
    reviewedNanos = nanos;
    steps = 0;
  }

  private void rebuild(int newShift, int newDays) {
    int[] order = new int[inCalendar];
    int count = 0;
    for (int i = 0; i <= mask; i++) {
      for (int slot = heads[(int) (today + i) & mask]; slot != NONE; slot = next[slot]) {
        order[count++] = slot;
      }
    }
    long todayNanos = today << shift;
    int[] later = new int[late.size()];
    for (int i = 0; i < later.length; i++) {
      later[i] = late.remove();
    }
    shift = newShift;
    today = todayNanos >>> shift;
    setDays(newDays);
    for (int slot : order) {
      place(slot);
    }
    for (int slot : later) {
      place(slot);
    }
  }

  private void place(int slot) {
    long day = times[slot] >>> shift;
    if (day - today <= mask) {
      enter(day, times[slot], slot);
    } else {
      late.add(times[slot], slot);
    }
  }

  private void setDays(int days) {
    if (heads.length != days) {
      heads = new int[days];
      tails = new int[days];
      occupied = new long[days / Long.SIZE];
    }
    Arrays.fill(heads, NONE);
    Arrays.fill(occupied, 0);
    mask = days - 1;
    inCalendar = 0;
    firstDay = NONE;
  }

  private void grow() {
    int before = times.length;
    if (before >= capacity) {
      throw new IllegalStateException("more than " + capacity + " events wait");
    }
    int length = (int) Math.min(capacity, 2L * before);
    times = Arrays.copyOf(times, length);
    events = Arrays.copyOf(events, length);
    next = Arrays.copyOf(next, length);
    setFree(before);
  }

  private void setFree(int from) {
    for (int slot = times.length - 1; slot >= from; slot--) {
      next[slot] = free;
      free = slot;
    }
  }
}
