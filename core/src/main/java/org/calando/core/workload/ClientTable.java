package org.calando.core.workload;

import static org.calando.core.workload.OracleSpinLock.LONGS;

import java.lang.invoke.VarHandle;

/**
 * What each client has seen of each key: the newest version that it wrote and had acknowledged, and
 * the highest version that it read.
 *
 * <p>Bounded; a look-up says whether its answer is complete. Thread safe; updates take a small lock
 * a set, look-ups take none.
 */
/*
 * A set is 16 longs: [lock word, 5 x (tag, newest own acknowledged, highest own read)], the most
 * recently updated entry first; the victim is the last. A tag names client and key, and its lowest
 * bit says that the entry may lack history.
 *
 * As long as a set has never evicted, everything that ever belonged to it is still there: a miss
 * means that the client never wrote or read the key, and new entries are complete. From the first
 * eviction on (the second bit of the lock word), a miss proves nothing, and entries made then may
 * follow an evicted entry of the same client and key; entries made before stay complete.
 */
final class ClientTable {
  static final int WAYS = 5;

  /** Offsets of a look-up's answer. */
  static final int OWN_ACKNOWLEDGED = 0;

  static final int HIGHEST_READ = 1;
  static final int COMPLETE = 2;

  private static final int ENTRY = 3;
  private static final int SET = 1 + WAYS * ENTRY;
  private static final long EVICTED = 2;
  private static final long INCOMPLETE = 1;

  private final int clients;
  private final int setMask;
  private final long[] table;

  /**
   * An empty table.
   *
   * @param clients number of clients, 1 or more; clients times keys is less than 2^62
   * @param minEntries pairs of client and key held at least; rounded up to 5 times a power of two
   */
  ClientTable(int clients, long minEntries) {
    this.clients = clients;
    long sets = sets(minEntries);
    this.setMask = (int) (sets - 1);
    this.table = new long[Math.toIntExact(sets * SET)];
  }

  /** Longs that a table of this size takes; for checking a configuration. */
  static long longs(long minEntries) {
    return sets(minEntries) * SET;
  }

  /** Reads what an update will need first; see {@link StalenessOracle}. */
  long touch(int client, long key) {
    return table[set(id(client, key))];
  }

  /** The client had a write of this version acknowledged. */
  void acknowledged(int client, long key, long version) {
    raise(client, key, version, 0);
  }

  /** The client read this version. */
  void read(int client, long key, long version) {
    raise(client, key, 0, version);
  }

  /**
   * Writes into {@code into}, from {@code at} on, what is known of the client and key: the newest
   * own acknowledged version, the highest own read (0 where there is none), and 1 if both are
   * complete, else 0: the true ones may then be higher.
   */
  void lookUp(int client, long key, long[] into, int at) {
    long id = id(client, key);
    int set = set(id);
    int attempts = 0;
    while (true) {
      long word = (long) LONGS.getAcquire(table, set);
      if (!OracleSpinLock.isLocked(word)) {
        copy(set, id, word, into, at);
        VarHandle.acquireFence();
        if ((long) LONGS.getOpaque(table, set) == word) {
          return;
        }
      }
      attempts = OracleSpinLock.pause(attempts);
    }
  }

  /** Payload of the array in bytes. */
  long bytes() {
    return (long) table.length * Long.BYTES;
  }

  private void copy(int set, long id, long word, long[] into, int at) {
    int entry = find(set, id);
    if (entry < set + SET) {
      into[at + OWN_ACKNOWLEDGED] = table[entry + 1];
      into[at + HIGHEST_READ] = table[entry + 2];
      into[at + COMPLETE] = (table[entry] & INCOMPLETE) == 0 ? 1 : 0;
    } else {
      into[at + OWN_ACKNOWLEDGED] = 0;
      into[at + HIGHEST_READ] = 0;
      into[at + COMPLETE] = (word & EVICTED) == 0 ? 1 : 0;
    }
  }

  private void raise(int client, long key, long acknowledged, long read) {
    long id = id(client, key);
    int set = set(id);
    long held = OracleSpinLock.lock(table, set);
    int entry = find(set, id);
    long tag;
    if (entry < set + SET) {
      tag = table[entry];
      acknowledged = Math.max(acknowledged, table[entry + 1]);
      read = Math.max(read, table[entry + 2]);
    } else {
      tag = id << 1 | ((held & EVICTED) == 0 ? 0 : INCOMPLETE);
      entry = set + SET - ENTRY;
      if (table[entry] != 0) {
        held |= EVICTED;
      }
    }
    int front = set + 1;
    System.arraycopy(table, front, table, front + ENTRY, entry - front);
    table[front] = tag;
    table[front + 1] = acknowledged;
    table[front + 2] = read;
    OracleSpinLock.unlock(table, set, held);
  }

  /** The index of the entry, or the end of the set. */
  private int find(int set, long id) {
    for (int entry = set + 1; entry < set + SET; entry += ENTRY) {
      if (table[entry] >>> 1 == id) {
        return entry;
      }
    }
    return set + SET;
  }

  private long id(int client, long key) {
    return key * clients + client + 1;
  }

  private int set(long id) {
    return (OracleHash.spread(id) & setMask) * SET;
  }

  private static long sets(long minEntries) {
    long needed = (minEntries + WAYS - 1) / WAYS;
    return needed <= 1 ? 1 : Long.highestOneBit(needed - 1) << 1;
  }
}
