package org.calando.core.workload;

import static org.calando.core.workload.OracleSpinLock.LONGS;

import java.util.concurrent.atomic.AtomicLong;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;

/**
 * Judges every read of a run: was it stale, how far behind, and did it break what its client could
 * expect. It knows because it numbers the writes of each key 1, 2, 3, ... and the store resolves
 * conflicts by these numbers.
 *
 * <p>Definitions. A version is assigned when its write begins and is the write's timestamp, so the
 * higher one wins at the store. Only {@link Outcome#OK} acknowledges; a write that timed out is
 * indeterminate, never makes a read stale, and may legally be read.
 *
 * <ul>
 *   <li><em>stale read</em>: returned a version lower than the newest one acknowledged when the
 *       read began. {@link Outcome#NOT_FOUND} is version 0, so it is stale once a write was
 *       acknowledged. Writes under way never count: no false alarm under concurrency.
 *   <li><em>k-staleness</em>: number of versions newer than the one returned that were acknowledged
 *       when the read began.
 *   <li><em>t-staleness</em>: read start minus the earliest of these versions' acknowledgements.
 *       Acknowledgements can arrive out of order; the earliest among all newer versions, not that
 *       of the lowest newer one, is the moment from which nobody should have been given the
 *       returned version any more. 0 if the caller's clock puts it after the read's start.
 *   <li><em>read-your-writes violation</em>: returned a version lower than the newest one that the
 *       same client had written and had acknowledged when the read began.
 *   <li><em>monotonic-read violation</em>: returned a version lower than the highest one that the
 *       same client had completely read when the read began.
 * </ul>
 *
 * <p>Reads that end in an error are not checked. State is kept always, also in the warm-up; only
 * measured reads are counted. A read-modify-write is a read followed by a write, one after the
 * other on the same slot.
 *
 * <p>A record has one version, that of its newest write. Where writes touch single fields, a read
 * that misses an older write of another field is not noticed; a session must return the record's
 * version even if it reads a single field.
 *
 * <p>Thread safety: methods may be called from any threads at once for different slots; the calls
 * for one slot must be ordered (happens-before), as an operation's start and its completion are.
 * {@link #snapshot} and {@link #staleReads} may be called at any time and are exact when no call is
 * under way. Nothing is allocated per operation, except 64 KB for each 4096 keys first written.
 */
/*
 * Order of the steps, on which the absence of false alarms under concurrency rests:
 *
 *   end of a write:  acknowledgement ring, main table, own acknowledged version of the client
 *   start of a read: own versions of the client, main table, sequence of the ring
 *
 * The read walks in the opposite direction, so what it has sampled is consistent: its client's own
 * version is at most the newest acknowledged one, whose acknowledgement is at most the sequence.
 *
 * Two consequences spare most look-ups their need for complete side tables. A read that is not
 * stale cannot violate read-your-writes. A read that returned the newest version issued when it
 * began cannot violate monotonic reads, since nothing higher existed to be read.
 */
public final class StalenessOracle {
  /** The read was not checked: an error, an untracked key, or a version never issued. */
  public static final int NOT_CHECKED = 0;

  /** The read returned the newest acknowledged version or a newer one. */
  public static final int FRESH = 1;

  /** The read returned a version older than the newest acknowledged when it began. */
  public static final int STALE = 2;

  // Offsets within a slot's longs: first the operation under way, then the slot's counters. Two
  // cache lines apart from its neighbours', since slots are used by different threads.
  private static final int STATE = 0;
  private static final int KEY = 1;
  private static final int CLIENT = 2;
  private static final int VERSION = 3;
  private static final int START = 4;
  private static final int MEASURED = 5;
  private static final int ACKNOWLEDGED = 6;
  private static final int ISSUED = 7;
  private static final int SEQUENCE = 8;
  private static final int OWN = 9;
  private static final int BEHIND = OWN + 3;
  private static final int EARLIEST = BEHIND + 1;
  private static final int TOUCHED = 14;
  private static final int READS = 16;
  private static final int STALE_READS = 17;
  private static final int READ_YOUR_WRITES = 18;
  private static final int MONOTONIC = 19;
  private static final int UNKNOWN_READ_YOUR_WRITES = 20;
  private static final int UNKNOWN_MONOTONIC = 21;
  private static final int UNTRACKED_READS = 22;
  private static final int UNTRACKED_WRITES = 23;
  private static final int INDETERMINATE = 24;
  private static final int FOREIGN = 25;
  private static final int SLOT_LONGS = 32;

  private static final long IDLE = 0;
  private static final long READING = 1;
  private static final long WRITING = 2;

  private final Config config;
  private final OracleVersions versions;
  private final SideTableAcks acks;
  private final ClientTable clientTable;
  private final StalenessHistogram versionsBehind = new StalenessHistogram();
  private final StalenessHistogram ageNanos = new StalenessHistogram();
  private final AtomicLong untrackedVersion = new AtomicLong(1);
  private final long[] slots;

  /** An oracle that knows no key yet. */
  public StalenessOracle(Config config) {
    this.config = config;
    this.versions = new OracleVersions(config.maxKeys());
    this.acks = new SideTableAcks(versions, config.sideTableEntries(), config.sideTableDepth());
    this.clientTable = new ClientTable(config.clients(), config.clientEntries());
    this.slots = new long[config.slots() * SLOT_LONGS];
  }

  /**
   * Takes note of records that were loaded at version 1 and acknowledged, before any operation on
   * them. When is not known: the k- and t-staleness of a later read that does not find such a
   * record are not covered.
   *
   * @param firstKey id of the first record, 0 or more
   * @param count number of records with consecutive ids
   */
  public void loaded(long firstKey, long count) {
    long end = Math.min(firstKey + count, config.maxKeys());
    for (long key = firstKey; key < end; key++) {
      versions.load(key);
    }
  }

  /**
   * A write is about to be sent.
   *
   * @param slot a slot without an operation under way
   * @param client who writes, 0 .. clients - 1
   * @param key key id, 0 or more
   * @return the version to write with: 1, 2, 3, ... for each key; for keys beyond the bound unique
   *     and increasing over all of them, from 2 on
   */
  public long beginWrite(int slot, int client, long key) {
    int base = begin(slot, client, key, WRITING);
    long version;
    if (versions.tracks(key)) {
      touch(base, client, key);
      version = versions.issue(key);
    } else {
      version = untrackedVersion.incrementAndGet();
    }
    slots[base + VERSION] = version;
    return version;
  }

  /**
   * The slot's write ended.
   *
   * @param nowNanos when its completion came, on the same clock as the starts of reads
   */
  public void endWrite(int slot, Outcome outcome, long nowNanos) {
    int base = end(slot, WRITING);
    long key = slots[base + KEY];
    if (outcome == Outcome.INDETERMINATE) {
      add(base + INDETERMINATE);
    }
    if (!versions.tracks(key)) {
      add(base + UNTRACKED_WRITES);
    } else if (outcome == Outcome.OK) {
      long version = slots[base + VERSION];
      int client = (int) slots[base + CLIENT];
      touch(base, client, key);
      acks.acknowledge(key, version, nowNanos);
      clientTable.acknowledged(client, key, version);
    }
  }

  /**
   * A read is about to be sent; to be called before it is.
   *
   * @param slot a slot without an operation under way
   * @param client who reads, 0 .. clients - 1
   * @param key key id, 0 or more
   * @param nowNanos the read's start, on the same clock as the ends of writes
   * @param measured whether the read counts; false in the warm-up
   */
  public void beginRead(int slot, int client, long key, long nowNanos, boolean measured) {
    int base = begin(slot, client, key, READING);
    slots[base + START] = nowNanos;
    slots[base + MEASURED] = measured ? 1 : 0;
    if (versions.tracks(key)) {
      clientTable.lookUp(client, key, slots, base + OWN);
      slots[base + ACKNOWLEDGED] = versions.acknowledged(key);
      slots[base + ISSUED] = versions.issued(key);
      slots[base + SEQUENCE] = acks.sequence(key);
    }
  }

  /**
   * The slot's read ended.
   *
   * @param version the version read, or {@link Session#NO_VERSION} if none was found
   * @return {@link #NOT_CHECKED}, {@link #FRESH} or {@link #STALE}, measured or not
   */
  public int endRead(int slot, Outcome outcome, long version) {
    int base = end(slot, READING);
    boolean measured = slots[base + MEASURED] != 0;
    if (outcome.isError()) {
      return NOT_CHECKED;
    }
    long key = slots[base + KEY];
    if (!versions.tracks(key)) {
      count(measured, base + UNTRACKED_READS);
      return NOT_CHECKED;
    }
    long returned = outcome == Outcome.NOT_FOUND ? 0 : version;
    if (outcome == Outcome.OK && isForeign(base, key, version)) {
      count(measured, base + FOREIGN);
      return NOT_CHECKED;
    }
    boolean stale = returned < slots[base + ACKNOWLEDGED];
    if (measured) {
      add(base + READS);
      checkMonotonic(base, returned);
      if (stale) {
        countStale(base, key, returned);
      }
    }
    if (returned > 0) {
      clientTable.read((int) slots[base + CLIENT], key, returned);
    }
    return stale ? STALE : FRESH;
  }

  /** Number of measured stale reads so far; cheap enough to ask every second. */
  public long staleReads() {
    return sum(STALE_READS);
  }

  /** What was found so far. */
  public Staleness snapshot() {
    return new Staleness(
        sum(READS),
        sum(STALE_READS),
        versionsBehind.distribution(),
        ageNanos.distribution(),
        sum(READ_YOUR_WRITES),
        sum(MONOTONIC),
        sum(UNKNOWN_READ_YOUR_WRITES),
        sum(UNKNOWN_MONOTONIC),
        sum(UNTRACKED_READS),
        sum(UNTRACKED_WRITES),
        sum(INDETERMINATE),
        sum(FOREIGN));
  }

  /**
   * Memory held now, in bytes: the payload of all arrays with 8 bytes a reference, which leaves out
   * 16 bytes of header an array.
   */
  public long bytes() {
    return versions.bytes()
        + acks.bytes()
        + clientTable.bytes()
        + 2 * StalenessHistogram.bytes()
        + (long) slots.length * Long.BYTES;
  }

  /**
   * Reads from the tables what a write needs, ahead of its atomic operations. The tables are seldom
   * in a cache, and an atomic operation waits for all loads before it and holds up those after it:
   * together they are waited for once. They are stored so that the compiler keeps them.
   */
  private void touch(int base, int client, long key) {
    slots[base + TOUCHED] =
        acks.touch(key) + clientTable.touch(client, key) + versions.acknowledged(key);
  }

  /** A version outside 1 .. issued; the sample spares most reads another look at the main table. */
  private boolean isForeign(int base, long key, long version) {
    return version < 1 || (version > slots[base + ISSUED] && version > versions.issued(key));
  }

  private void checkMonotonic(int base, long returned) {
    if (returned < slots[base + OWN + ClientTable.HIGHEST_READ]) {
      add(base + MONOTONIC);
    } else if (slots[base + OWN + ClientTable.COMPLETE] == 0 && returned < slots[base + ISSUED]) {
      add(base + UNKNOWN_MONOTONIC);
    }
  }

  private void countStale(int base, long key, long returned) {
    add(base + STALE_READS);
    if (returned < slots[base + OWN + ClientTable.OWN_ACKNOWLEDGED]) {
      add(base + READ_YOUR_WRITES);
    } else if (slots[base + OWN + ClientTable.COMPLETE] == 0) {
      add(base + UNKNOWN_READ_YOUR_WRITES);
    }
    long newest = slots[base + ACKNOWLEDGED];
    if (acks.behind(key, returned, newest, slots[base + SEQUENCE], slots, base + BEHIND)) {
      versionsBehind.record(slots[base + BEHIND]);
      ageNanos.record(Math.max(0, slots[base + START] - slots[base + EARLIEST]));
    }
  }

  private int begin(int slot, int client, long key, long state) {
    if (client < 0 || client >= config.clients()) {
      throw new IllegalArgumentException("client " + client + " not in 0.." + config.clients());
    }
    if (key < 0) {
      throw new IllegalArgumentException("key " + key + " < 0");
    }
    int base = slot * SLOT_LONGS;
    if (slots[base + STATE] != IDLE) {
      throw new IllegalStateException("slot " + slot + " has an operation under way");
    }
    slots[base + STATE] = state;
    slots[base + KEY] = key;
    slots[base + CLIENT] = client;
    return base;
  }

  private int end(int slot, long state) {
    int base = slot * SLOT_LONGS;
    if (slots[base + STATE] != state) {
      throw new IllegalStateException("slot " + slot + " has no such operation under way");
    }
    slots[base + STATE] = IDLE;
    return base;
  }

  private void count(boolean measured, int counter) {
    if (measured) {
      add(counter);
    }
  }

  /** Only the slot's operation writes its counters, so that no atomic addition is needed. */
  private void add(int counter) {
    LONGS.setOpaque(slots, counter, slots[counter] + 1);
  }

  private long sum(int counter) {
    long sum = 0;
    for (int i = counter; i < slots.length; i += SLOT_LONGS) {
      sum += (long) LONGS.getOpaque(slots, i);
    }
    return sum;
  }

  /**
   * Sizes of an oracle; all its memory is bounded by them.
   *
   * <p>How to size the side tables. A stale read's k and t are known if its key's acknowledgements
   * are still there when the read ends: {@code sideTableEntries} must exceed the number of
   * different keys written within the longest staleness to be told (writes/s times seconds; four
   * times that leaves room for unevenly filled sets), and {@code sideTableDepth} the number of
   * writes of the hottest key within it. Client entries are needed for every pair of client and key
   * that a client comes back to; what the tables could not tell is in the coverages of {@link
   * Staleness}. Tables larger than needed cost speed, since they leave the caches.
   *
   * @param maxKeys ids below this are tracked, 1 .. 2^32; 16 bytes each once used
   * @param slots operations that can be under way at once, 1 .. 2^20; 256 bytes each
   * @param clients number of clients, 1 .. 2^20
   * @param sideTableEntries keys whose recent acknowledgements are remembered, 1 or more; rounded
   *     up to 7 times a power of two
   * @param sideTableDepth acknowledgements remembered of each of them, 1 or more, rounded up to a
   *     power of two; 24 bytes each
   * @param perClientEntries keys remembered a client, on average, 1 or more; the total is rounded
   *     up to 5 times a power of two; 26 bytes each
   */
  public record Config(
      long maxKeys,
      int slots,
      int clients,
      int sideTableEntries,
      int sideTableDepth,
      int perClientEntries) {
    private static final int DEFAULT_SIDE_TABLE_ENTRIES = 7_168;
    private static final int DEFAULT_SIDE_TABLE_DEPTH = 32;
    private static final int DEFAULT_CLIENT_ENTRIES = 40_960;
    private static final int MAX_TABLE_ENTRIES = 1 << 26;
    private static final int MAX_TABLE_LONGS = 1 << 30;

    /**
     * Refuses sizes out of range and tables of more than 8 GiB.
     *
     * @throws IllegalArgumentException naming the size
     */
    public Config {
      check("maxKeys", maxKeys, 1L << 32);
      check("slots", slots, 1 << 20);
      check("clients", clients, 1 << 20);
      check("sideTableEntries", sideTableEntries, MAX_TABLE_ENTRIES);
      check("sideTableDepth", sideTableDepth, 1 << 16);
      check("perClientEntries", perClientEntries, MAX_TABLE_ENTRIES);
      check(
          "longs of the side table",
          SideTableAcks.longs(sideTableEntries, sideTableDepth),
          MAX_TABLE_LONGS);
      check(
          "longs of the client table",
          ClientTable.longs((long) clients * perClientEntries),
          MAX_TABLE_LONGS);
    }

    /**
     * Default side tables, 7 MB in all: 32 recent acknowledgements of each of 7168 keys, and 40960
     * pairs of client and key (or one a client where there are more clients).
     */
    public static Config of(long maxKeys, int slots, int clients) {
      return new Config(
          maxKeys,
          slots,
          clients,
          DEFAULT_SIDE_TABLE_ENTRIES,
          DEFAULT_SIDE_TABLE_DEPTH,
          Math.max(1, DEFAULT_CLIENT_ENTRIES / Math.max(1, clients)));
    }

    private long clientEntries() {
      return (long) clients * perClientEntries;
    }

    private static void check(String name, long value, long max) {
      if (value < 1 || value > max) {
        throw new IllegalArgumentException(name + " " + value + " not in 1.." + max);
      }
    }
  }
}
