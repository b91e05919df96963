package org.calando.core.workload;

import static org.calando.core.workload.OracleSpinLock.LONGS;

/**
 * The most recent acknowledgements of the keys acknowledged last: what k- and t-staleness of a
 * stale read are computed from.
 *
 * <p>Bounded; says of every question whether it still knows the answer. Thread safe; each set has a
 * small lock.
 */
/*
 * A set is a line of 15 longs, [lock word, 7 tags, 7 counts], with the most recently acknowledged
 * key's tag first: a tag is (key + 1) * 8 + way, and the way names the key's count and entry, which
 * stay where they are while the tag moves to the front. The victim is the last tag. A count is that
 * of acknowledgements since admission; it stands beside the tags so that the place in the ring is
 * known from the line alone, which saves waiting for memory once more.
 *
 * An entry is [floor, ring of (version, time, sequence)]. The floor is the highest acknowledged
 * version of the key that the ring does not hold: at admission the newest acknowledged one of the
 * main table, later the highest one overwritten. All versions above the floor are therefore in the
 * ring, so that the answer for a read that returned v is known exactly if v >= floor.
 *
 * The sequence is the set's lock word when the acknowledgement was recorded. A read samples the
 * word as it begins; acknowledgements of a lower or equal sequence preceded it. The main table is
 * raised inside the lock, after the ring: a reader that takes the main table's version first and
 * the sequence second never has a version without its sequence, and admission reads an exact floor.
 */
final class SideTableAcks {
  static final int WAYS = 7;

  private static final int TAGS_END = 1 + WAYS;
  private static final int LINE = TAGS_END + WAYS;
  private static final int WAY_BITS = 3;
  private static final int WAY_MASK = (1 << WAY_BITS) - 1;
  private static final int HEADER = 1;
  private static final int RECORD = 3;

  private final OracleVersions versions;
  private final int setMask;
  private final int depthMask;
  private final int entryLongs;
  private final long[] lines;
  private final long[] entries;

  /**
   * An empty table.
   *
   * @param versions the main table, which this one raises
   * @param minEntries keys held at least; rounded up to 7 times a power of two
   * @param minDepth acknowledgements a key held at least; rounded up to a power of two
   */
  SideTableAcks(OracleVersions versions, int minEntries, int minDepth) {
    this.versions = versions;
    int sets = sets(minEntries);
    int depth = powerOfTwo(minDepth);
    this.setMask = sets - 1;
    this.depthMask = depth - 1;
    this.entryLongs = HEADER + depth * RECORD;
    this.lines = new long[Math.multiplyExact(sets, LINE)];
    this.entries = new long[Math.multiplyExact(sets * WAYS, entryLongs)];
    for (int line = 0; line < lines.length; line += LINE) {
      for (int way = 0; way < WAYS; way++) {
        lines[line + 1 + way] = way;
      }
    }
  }

  /** Longs that a table of these sizes takes; for checking a configuration. */
  static long longs(int minEntries, int minDepth) {
    return (long) sets(minEntries)
        * (LINE + WAYS * (HEADER + (long) powerOfTwo(minDepth) * RECORD));
  }

  /** The sequence that all acknowledgements recorded so far have not passed. */
  long sequence(long key) {
    return (long) LONGS.getAcquire(lines, line(key));
  }

  /** Reads what {@link #acknowledge} will need first; see {@link StalenessOracle}. */
  long touch(long key) {
    return lines[line(key)];
  }

  /** Records an acknowledgement and raises the main table. */
  void acknowledge(long key, long version, long nowNanos) {
    int line = line(key);
    long held = OracleSpinLock.lock(lines, line);
    int way = admit(line, key);
    int entry = entry(line, way);
    long count = lines[line + TAGS_END + way]++;
    int at = entry + HEADER + ((int) count & depthMask) * RECORD;
    if (count > depthMask) {
      entries[entry] = Math.max(entries[entry], entries[at]);
    }
    entries[at] = version;
    entries[at + 1] = nowNanos;
    entries[at + 2] = held;
    versions.acknowledge(key, version);
    OracleSpinLock.unlock(lines, line, held);
  }

  /**
   * Looks up how far behind a stale read was: writes into {@code into[at]} the number of versions
   * above {@code returned} acknowledged before it began, and into {@code into[at + 1]} the time of
   * the earliest of these acknowledgements.
   *
   * @param newest newest acknowledged version when the read began
   * @param sequence {@link #sequence} when the read began, taken after {@code newest}
   * @return false if that is no longer known
   */
  boolean behind(long key, long returned, long newest, long sequence, long[] into, int at) {
    int line = line(key);
    long lock = OracleSpinLock.lock(lines, line);
    int position = find(line, key);
    boolean known = false;
    if (position < TAGS_END) {
      int way = way(line, position);
      int entry = entry(line, way);
      known = returned >= entries[entry];
      if (known) {
        int held = (int) Math.min(lines[line + TAGS_END + way], depthMask + 1L);
        count(entry + HEADER, held, returned, newest, sequence, into, at);
      }
    }
    OracleSpinLock.unlock(lines, line, lock);
    return known;
  }

  /** Payload of the arrays in bytes. */
  long bytes() {
    return ((long) lines.length + entries.length) * Long.BYTES;
  }

  private void count(
      int ring, int held, long returned, long newest, long sequence, long[] into, int at) {
    long versionsBehind = 0;
    long earliestNanos = Long.MAX_VALUE;
    for (int record = ring; record < ring + held * RECORD; record += RECORD) {
      long version = entries[record];
      if (version > returned && version <= newest && entries[record + 2] <= sequence) {
        versionsBehind++;
        earliestNanos = Math.min(earliestNanos, entries[record + 1]);
      }
    }
    into[at] = versionsBehind;
    into[at + 1] = earliestNanos;
  }

  /** Moves the key's tag to the front, in place of the last if there was none; returns its way. */
  private int admit(int line, long key) {
    int position = find(line, key);
    boolean isNew = position == TAGS_END;
    if (isNew) {
      position = WAYS;
    }
    int way = way(line, position);
    if (position > 1) {
      System.arraycopy(lines, line + 1, lines, line + 2, position - 1);
      lines[line + 1] = (key + 1) << WAY_BITS | way;
    }
    if (isNew) {
      lines[line + TAGS_END + way] = 0;
      entries[entry(line, way)] = versions.acknowledged(key);
    }
    return way;
  }

  private int find(int line, long key) {
    for (int position = 1; position < TAGS_END; position++) {
      if (lines[line + position] >>> WAY_BITS == key + 1) {
        return position;
      }
    }
    return TAGS_END;
  }

  private int way(int line, int position) {
    return (int) lines[line + position] & WAY_MASK;
  }

  private int entry(int line, int way) {
    return (line / LINE * WAYS + way) * entryLongs;
  }

  private int line(long key) {
    return (OracleHash.spread(key) & setMask) * LINE;
  }

  private static int sets(int minEntries) {
    return powerOfTwo((minEntries + WAYS - 1) / WAYS);
  }

  private static int powerOfTwo(int atLeast) {
    return atLeast <= 1 ? 1 : Integer.highestOneBit(atLeast - 1) << 1;
  }
}
