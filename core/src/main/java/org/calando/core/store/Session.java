package org.calando.core.store;

import java.util.List;

/**
 * Asynchronous access to one table of a store. An operation occupies a <em>slot</em> (0 .. {@link
 * #slots()} - 1) from its start until its completion is called; a slot carries one operation at a
 * time, so adapters keep per-operation state in arrays that they allocate once.
 *
 * <p>Methods never block and never throw for a failed operation: the completion is told, possibly
 * before the method returns. Different slots may be used from different threads at once. A record's
 * version is the timestamp of its newest write: of two writes to one key, the higher version wins
 * whatever the order in which replicas receive them.
 */
public interface Session extends Capable, AutoCloseable {
  /** Stands for a read that returned no version. */
  long NO_VERSION = Long.MIN_VALUE;

  /** As a field index: every field of the record. */
  int ALL_FIELDS = -1;

  /** How many operations can be under way at once. */
  int slots();

  /**
   * Reads a record.
   *
   * @param slot a free slot
   * @param key key id, 0 or more
   * @param field field index, or {@link #ALL_FIELDS}
   * @param level replicas that must answer
   * @param completion told the record's version
   */
  void read(int slot, long key, int field, ConsistencyLevel level, Completion completion);

  /**
   * Writes one field, or the whole record.
   *
   * @param slot a free slot
   * @param key key id, 0 or more
   * @param field field index, or {@link #ALL_FIELDS}
   * @param valueBytes size of each field written, in bytes
   * @param version the write's timestamp, greater than 0
   * @param level replicas that must acknowledge
   * @param completion told the outcome
   */
  void write(
      int slot,
      long key,
      int field,
      int valueBytes,
      long version,
      ConsistencyLevel level,
      Completion completion);

  /**
   * Reads up to {@code count} records from {@code key} on, in the store's own order of keys.
   *
   * @param slot a free slot
   * @param key key id to start at, 0 or more
   * @param count records wanted, 1 or more
   * @param field field index, or {@link #ALL_FIELDS}
   * @param level replicas that must answer
   * @param completion told the outcome; a scan has no version
   */
  void scan(
      int slot, long key, int count, int field, ConsistencyLevel level, Completion completion);

  /**
   * Sends all writes that are acknowledged and not on the server. Operations that are under way may
   * go on; what they acknowledge meanwhile is sent at once, and waited for too.
   *
   * @param done told once, on any thread, when each write is on the server or has failed
   * @return false if there was none: then {@code done} is not told
   */
  default boolean flush(Runnable done) {
    return false;
  }

  /**
   * What went wrong, in the store's words: the first error of each outcome so far. May be called at
   * any time.
   */
  default List<String> errors() {
    return List.of();
  }

  /** Ends the session; operations under way complete as {@link Outcome#INDETERMINATE} or better. */
  @Override
  void close();
}
