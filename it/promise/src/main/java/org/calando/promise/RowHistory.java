package org.calando.promise;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** All writes of one row. Immutable after its making. */
final class RowHistory {
  private final Map<Long, Long> sent = new HashMap<>();
  private final NavigableMap<Long, Long> newestAcknowledged;
  private final NavigableMap<Long, Long> newestGone;

  /**
   * Of writes in any order.
   *
   * @throws IllegalArgumentException if a version is there twice
   */
  RowHistory(List<WriteEntry> writes) {
    for (WriteEntry write : writes) {
      if (sent.put(write.version(), write.sent()) != null) {
        throw new IllegalArgumentException("a version is there twice: " + write.line());
      }
    }
    newestAcknowledged = newest(writes, WriteEntry::acknowledged);
    newestGone = newest(writes, WriteEntry::gone);
  }

  /** By time the newest version that has one up to then. */
  private static NavigableMap<Long, Long> newest(
      List<WriteEntry> writes, ToLongFunction<WriteEntry> time) {
    NavigableMap<Long, Long> newest = new TreeMap<>();
    writes.stream()
        .filter(write -> time.applyAsLong(write) != WriteEntry.NEVER)
        .sorted(Comparator.comparingLong(time))
        .forEach(
            write -> {
              Map.Entry<Long, Long> last = newest.lastEntry();
              long before = last == null ? write.version() : last.getValue();
              newest.put(time.applyAsLong(write), Math.max(before, write.version()));
            });
    return newest;
  }

  /** The newest version acknowledged before a time; 0, which all rows begin with, of none. */
  long newestBefore(long time) {
    Map.Entry<Long, Long> entry = newestAcknowledged.lowerEntry(time);
    return entry == null ? 0 : entry.getValue();
  }

  /** The newest version that can have made the row absent by a time; of none, that of no row. */
  long newestGoneBy(long time) {
    Map.Entry<Long, Long> entry = newestGone.floorEntry(time);
    return entry == null ? ReadEntry.NOTHING : entry.getValue();
  }

  /** Whether a version was sent by a time. */
  boolean sentBy(long version, long time) {
    Long at = version == 0 ? Long.valueOf(time) : sent.get(version);
    return at != null && at <= time;
  }
}
