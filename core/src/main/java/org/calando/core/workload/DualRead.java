package org.calando.core.workload;

import static org.calando.core.workload.OracleSpinLock.LONGS;

import org.calando.core.store.Outcome;

/**
 * Counts stale reads by the dual read: each read is followed by a second one of the same key at the
 * strongest level, and is called stale if the two return different versions.
 *
 * <p>The measurement of the Harmony paper (Chihoub et al. 2012), kept for comparison with {@link
 * StalenessOracle}. It over-estimates: a write that lands between the two reads makes them differ
 * although the first was fresh, and so does a write that was not yet acknowledged. It
 * under-estimates where the second level is not strong for the write level in use (R + W &lt;= N),
 * or where the first read repairs the replicas. It doubles the reads, and so changes the load whose
 * staleness it measures. {@link #older} leaves out pairs whose second read is the older one, which
 * only a second level that is not strong, or a write under way, can explain.
 *
 * <p>Thread safety: as {@link StalenessOracle}. Pairs with an error are not counted; NOT_FOUND is
 * version 0.
 */
public final class DualRead {
  private static final long NONE = -1;

  // Offsets within a slot's longs, padded to a cache line.
  private static final int FIRST = 0;
  private static final int PAIRS = 1;
  private static final int MISMATCHES = 2;
  private static final int OLDER = 3;
  private static final int SLOT_LONGS = 8;

  private final long[] slots;

  /**
   * Counts of nothing yet.
   *
   * @param slots operations that can be under way at once, 1 or more
   */
  public DualRead(int slots) {
    this.slots = new long[Math.multiplyExact(slots, SLOT_LONGS)];
    for (int i = FIRST; i < this.slots.length; i += SLOT_LONGS) {
      this.slots[i] = NONE;
    }
  }

  /**
   * The first read of a pair ended.
   *
   * @return whether it can be compared: false after an error
   */
  public boolean first(int slot, Outcome outcome, long version) {
    slots[slot * SLOT_LONGS + FIRST] = outcome.isError() ? NONE : version(outcome, version);
    return !outcome.isError();
  }

  /**
   * The second read of the slot's pair ended.
   *
   * @param measured whether the pair counts; false in the warm-up
   * @return whether the pair differs; false if it cannot be compared
   */
  public boolean second(int slot, Outcome outcome, long version, boolean measured) {
    int base = slot * SLOT_LONGS;
    long first = slots[base + FIRST];
    slots[base + FIRST] = NONE;
    if (first == NONE || outcome.isError()) {
      return false;
    }
    long second = version(outcome, version);
    if (measured) {
      add(base + PAIRS, 1);
      add(base + MISMATCHES, first == second ? 0 : 1);
      add(base + OLDER, first < second ? 1 : 0);
    }
    return first != second;
  }

  /** Measured pairs compared. */
  public long pairs() {
    return sum(PAIRS);
  }

  /** Measured pairs whose versions differ: the published count of stale reads. */
  public long mismatches() {
    return sum(MISMATCHES);
  }

  /** Measured pairs whose first read returned the older version. */
  public long older() {
    return sum(OLDER);
  }

  private static long version(Outcome outcome, long version) {
    return outcome == Outcome.NOT_FOUND ? 0 : version;
  }

  private void add(int counter, int count) {
    LONGS.setOpaque(slots, counter, slots[counter] + count);
  }

  private long sum(int counter) {
    long sum = 0;
    for (int i = counter; i < slots.length; i += SLOT_LONGS) {
      sum += (long) LONGS.getOpaque(slots, i);
    }
    return sum;
  }
}
