package org.calando.sim.kernel;

import java.util.Arrays;

/*
 * A calendar queue (Brown, "Calendar queues: a fast O(1) priority queue implementation for the
 * simulation event set problem", 1988): time is cut into days of 2^shift ns, the next 2^k days have
 * a sorted list of events each, and a bit that says whether there is one. Days are short, so that a
 * list seldom has two events: what a processor cannot foresee costs it more than days without
 * events do, 64 of which are passed over at once. What lies beyond the year waits in a heap, and
 * comes in as soon as the year reaches it:
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
  /** No event; those that are added are 0 or more. */
  static final int NONE = -1;

  // Of a slot, after its time. The first of a day's slots knows the last one.
  private static final int EVENT = 1;
  private static final int NEXT = 2;
  private static final int LAST = 3;
  private static final int SLOT_SHIFT = 2;

  private static final int FIRST_CAPACITY = 256;
  private static final int LEAST_DAYS = 1 << 8;
  private static final int MOST_DAYS = 1 << 21;
  private static final int LEAST_PERIOD = 1 << 12;
  private static final int MOST_SHIFT = 40;

  /** A year is at least so many times as long as events wait, on average. */
  private static final long YEAR_OF_WAITS = 10;

  /** Events passed over for each one added, on average, from which days are too long. */
  private static final long MOST_STEPS = 4;

  private final int capacity;
  private final LateEvents late = new LateEvents();

  /** Time, event and the slot that follows, of each slot. */
  private long[] slots = new long[FIRST_CAPACITY << SLOT_SHIFT];

  /** First of the free slots, which are linked like the others. */
  private int free = NONE;

  // By day: whether it has events, and the slot of the first if it has.
  private long[] occupied = new long[0];
  private int[] heads = new int[0];

  private int shift = 14;
  private int mask;
  private long today;

  /** The day on which the first late event comes in. */
  private long lateDay = Long.MAX_VALUE;

  private long takenNanos;
  private int inCalendar;

  /** Events to take, and to pass over, until the next review. */
  private int left = LEAST_PERIOD;

  private int period = LEAST_PERIOD;
  private int steps;
  private long reviewedNanos;

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
    return inCalendar + late.size();
  }

  /**
   * Adds an event.
   *
   * @param nanos its time, not before that of the last one taken
   * @param event 0 or more
   * @throws IllegalStateException if the queue is full
   */
  void add(long nanos, long event) {
    if (free == NONE) {
      grow();
    }
    long[] all = slots;
    int slot = free;
    int at = slot << SLOT_SHIFT;
    free = (int) all[at + NEXT];
    all[at] = nanos;
    all[at + EVENT] = event;
    enter(nanos, slot);
  }

  /** The time of the event that was taken last. */
  long takenNanos() {
    return takenNanos;
  }

  /**
   * Takes the first event if its time has come.
   *
   * @param byNanos the latest time
   * @return the event, at {@link #takenNanos}, or {@link #NONE}
   */
  long takeBy(long byNanos) {
    if (inCalendar == 0 && !beginsWithLate(byNanos)) {
      return NONE;
    }
    int begin = (int) today & mask;
    int word = begin >> 6;
    long bits = occupied[word] & (-1L << begin);
    while (bits == 0) {
      word = (word + 1) & (mask >> 6);
      bits = occupied[word];
    }
    int index = (word << 6) + Long.numberOfTrailingZeros(bits);
    long[] all = slots;
    int slot = heads[index];
    int at = slot << SLOT_SHIFT;
    long nanos = all[at];
    if (nanos > byNanos) {
      return NONE;
    }
    takenNanos = nanos;
    today = nanos >>> shift;
    long event = all[at + EVENT];
    int following = (int) all[at + NEXT];
    if (following == NONE) {
      occupied[word] ^= bits & -bits;
    } else {
      heads[index] = following;
      all[(following << SLOT_SHIFT) + LAST] = all[at + LAST];
    }
    inCalendar--;
    all[at + NEXT] = free;
    free = slot;
    if (today >= lateDay) {
      callIn();
    }
    if (--left <= 0) {
      review(nanos);
    }
    return event;
  }

  /** Moves an empty calendar on to the first late event, if its time has come. */
  private boolean beginsWithLate(long byNanos) {
    if (late.size() == 0 || late.firstNanos() > byNanos) {
      return false;
    }
    today = late.firstNanos() >>> shift;
    callIn();
    return true;
  }

  /** Brings the events in that the year has reached. */
  private void callIn() {
    while (late.size() > 0 && (late.firstNanos() >>> shift) - today <= mask) {
      int slot = late.remove();
      enter(slots[slot << SLOT_SHIFT], slot);
    }
    setLateDay();
  }

  private void setLateDay() {
    lateDay = late.size() == 0 ? Long.MAX_VALUE : (late.firstNanos() >>> shift) - mask;
  }

  /** Puts an event into the calendar, or among the late ones. */
  private void enter(long nanos, int slot) {
    long day = nanos >>> shift;
    if (day - today > mask) {
      late.add(nanos, slot);
      setLateDay();
      return;
    }
    inCalendar++;
    int index = (int) day & mask;
    int word = index >> 6;
    long before = occupied[word];
    long with = before | 1L << index;
    if (before == with) {
      join(index, nanos, slot);
    } else {
      occupied[word] = with;
      heads[index] = slot;
      int at = slot << SLOT_SHIFT;
      slots[at + NEXT] = NONE;
      slots[at + LAST] = slot;
    }
  }

  /** Puts an event among others of its day. */
  private void join(int index, long nanos, int slot) {
    int at = slot << SLOT_SHIFT;
    int first = heads[index];
    int firstAt = first << SLOT_SHIFT;
    int last = (int) slots[firstAt + LAST];
    if (slots[last << SLOT_SHIFT] <= nanos) {
      slots[(last << SLOT_SHIFT) + NEXT] = slot;
      slots[at + NEXT] = NONE;
      slots[firstAt + LAST] = slot;
    } else if (nanos < slots[firstAt]) {
      heads[index] = slot;
      slots[at + NEXT] = first;
      slots[at + LAST] = last;
    } else {
      insert(firstAt, nanos, slot);
    }
  }

  /** Puts an event between others of its day. */
  private void insert(int firstAt, long nanos, int slot) {
    int before = firstAt;
    int after = (int) slots[before + NEXT] << SLOT_SHIFT;
    while (slots[after] <= nanos) {
      before = after;
      after = (int) slots[after + NEXT] << SLOT_SHIFT;
      steps++;
      left--;
    }
    slots[(slot << SLOT_SHIFT) + NEXT] = slots[before + NEXT];
    slots[before + NEXT] = slot;
  }

  /** Looks whether the calendar still suits its events, and changes it if not. */
  private void review(long nanos) {
    int taken = Math.max(1, period - left - steps);
    long gap = Math.max(1, (nanos - reviewedNanos) / taken);
    int wantedShift = shift;
    if (steps > MOST_STEPS * taken) {
      wantedShift = Math.max(0, shift - 2);
    } else if (!suits(gap)) {
      // Half of a gap to a gap.
      wantedShift = Math.min(MOST_SHIFT, Long.SIZE - 1 - Long.numberOfLeadingZeros(gap));
    }
    // By Little's law events wait as long as it takes to take as many as there are.
    long wantedYear = (YEAR_OF_WAITS * size() * gap) >>> wantedShift;
    int wantedDays = LEAST_DAYS;
    while (wantedDays < MOST_DAYS && wantedDays < wantedYear) {
      wantedDays <<= 1;
    }
    int days = mask + 1;
    if (wantedShift != shift || wantedDays > days || wantedDays < days / 4) {
      rebuild(wantedShift, wantedDays);
    }
    period = Math.max(LEAST_PERIOD, size());
    left = period;
    steps = 0;
    reviewedNanos = nanos;
  }

  /** Whether the days' length is about right; wide enough for it not to change to and fro. */
  private boolean suits(long gap) {
    long day = 1L << shift;
    return day <= gap + gap / 4 && gap <= 2 * day + day / 2;
  }

  private void rebuild(int newShift, int newDays) {
    int[] order = new int[size()];
    int count = 0;
    for (int i = 0; i <= mask; i++) {
      int index = (int) (today + i) & mask;
      int slot = (occupied[index >> 6] & 1L << index) == 0 ? NONE : heads[index];
      while (slot != NONE) {
        order[count++] = slot;
        slot = (int) slots[(slot << SLOT_SHIFT) + NEXT];
      }
    }
    while (count < order.length) {
      order[count++] = late.remove();
    }
    today = today << shift >>> newShift;
    shift = newShift;
    setDays(newDays);
    for (int slot : order) {
      enter(slots[slot << SLOT_SHIFT], slot);
    }
    setLateDay();
  }

  private void setDays(int days) {
    if (heads.length != days) {
      heads = new int[days];
      occupied = new long[days / Long.SIZE];
    }
    Arrays.fill(occupied, 0);
    mask = days - 1;
    inCalendar = 0;
  }

  private void grow() {
    int before = slots.length >> SLOT_SHIFT;
    if (before >= capacity) {
      throw new IllegalStateException("more than " + capacity + " events wait");
    }
    int length = (int) Math.min(capacity, 2L * before);
    slots = Arrays.copyOf(slots, length << SLOT_SHIFT);
    setFree(before);
  }

  private void setFree(int from) {
    for (int slot = (slots.length >> SLOT_SHIFT) - 1; slot >= from; slot--) {
      slots[(slot << SLOT_SHIFT) + NEXT] = free;
      free = slot;
    }
  }
}
