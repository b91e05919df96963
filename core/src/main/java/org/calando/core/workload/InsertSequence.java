package org.calando.core.workload;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hands out the keys of new records and knows up to which key all of them have ended, so that reads
 * do not ask for records that are still on their way (YCSB's acknowledged counter).
 *
 * <p>{@link #acknowledge} is owed exactly once for each key, <em>however the insert ended</em>: an
 * insert that failed must not hold back the keys behind it for ever. As in YCSB, its key may then
 * be read and is not found, or is found if the insert was indeterminate; neither is an error.
 *
 * <p>Thread safe and lock free; no allocation after construction.
 */
public final class InsertSequence {
  /** Keys that can be handed out beyond the oldest one not acknowledged. */
  public static final int WINDOW = 1 << 20;

  // Every key has the slot (key mod window). A slot holds the lap of the last key that was
  // acknowledged in it, so nothing is ever cleared. Acknowledging first marks the slot and then
  // moves the limit over all marked slots. Both are sequentially consistent: of a thread that stops
  // before a slot and the one that marks it, at least one sees the other's step, so no marked slot
  // stays behind.
  private final AtomicIntegerArray laps;
  private final int mask;
  private final int lapShift;
  private final AtomicLong next;
  private final AtomicLong limit;

  /**
   * A sequence whose first key is {@code firstKey}; all keys before it count as acknowledged.
   *
   * @param firstKey 0 or more; a workload's record count
   */
  public InsertSequence(long firstKey) {
    this(firstKey, WINDOW);
  }

  InsertSequence(long firstKey, int window) {
    if (firstKey < 0) {
      throw new IllegalArgumentException("first key " + firstKey + " < 0");
    }
    if (Integer.bitCount(window) != 1) {
      throw new IllegalArgumentException("window " + window + " is no power of two");
    }
    laps = new AtomicIntegerArray(window);
    mask = window - 1;
    lapShift = Integer.numberOfTrailingZeros(window);
    next = new AtomicLong(firstKey);
    limit = new AtomicLong(firstKey - 1);
  }

  /** The sequence for a workload; its window takes 4 MiB only if the workload inserts at all. */
  public static InsertSequence of(Workload workload) {
    return new InsertSequence(workload.records(), workload.mix().insert() > 0 ? WINDOW : 64);
  }

  /**
   * The key for the next insert.
   *
   * @throws IllegalStateException if {@link #WINDOW} keys were handed out since the oldest one that
   *     is not acknowledged: an insert ended without being acknowledged
   */
  public long next() {
    long key = next.getAndIncrement();
    if (key - limit.get() > mask + 1L) {
      throw new IllegalStateException(
          "insert of key %d is not acknowledged after %d further keys"
              .formatted(limit.get() + 1, mask));
    }
    return key;
  }

  /**
   * Notes that the insert of {@code key} has ended, well or not.
   *
   * @param key a key from {@link #next}, each once
   */
  public void acknowledge(long key) {
    laps.set(slot(key), lap(key));
    long last = limit.get();
    while (isAcknowledged(last + 1)) {
      // Whoever loses the race finds the limit already moved.
      limit.compareAndSet(last, last + 1);
      last = limit.get();
    }
  }

  /** The last key for which it and all keys before it are acknowledged; -1 if there is none. */
  public long lastAcknowledged() {
    return limit.get();
  }

  private boolean isAcknowledged(long key) {
    return laps.get(slot(key)) == lap(key);
  }

  private int slot(long key) {
    return (int) key & mask;
  }

  /** Counted from 1: an untouched slot holds 0. */
  private int lap(long key) {
    return (int) (key >>> lapShift) + 1;
  }
}
