package org.calando.promise;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/*
 * Version 0 of every row is there before anything is counted. A write that was not acknowledged is
 * never demanded, and may be returned. A row that is absent is the work of the newest write that
 * can have removed it by the end of the read: a deletion from the time that it was sent, a write
 * with a limited life from its earliest end. So an absent row is stale only if no such write is as
 * new as the newest one acknowledged before the read.
 */
/** Knows all writes, and says which reads were stale. Immutable. */
final class Judge {
  private static final RowHistory UNWRITTEN = new RowHistory(List.of());

  private final Map<Long, RowHistory> rows = new HashMap<>();

  /** What is known of a read that came back. */
  enum Finding {
    /** As new as the newest write acknowledged before it began. */
    FRESH,
    /** Older than that. */
    STALE,
    /** It returned what nobody had written by then: the books are wrong. */
    IMPOSSIBLE
  }

  /**
   * With all writes, in any order.
   *
   * @throws IllegalArgumentException if a version of a key is there twice
   */
  Judge(List<WriteEntry> writes) {
    writes.stream()
        .collect(Collectors.groupingBy(WriteEntry::key))
        .forEach((key, ofKey) -> rows.put(key, new RowHistory(ofKey)));
  }

  /** Judges a read that did not fail. */
  Finding judge(ReadEntry read) {
    RowHistory row = rows.getOrDefault(read.key(), UNWRITTEN);
    long version = read.version();
    if (version == ReadEntry.NOTHING) {
      version = row.newestGoneBy(read.ended());
    } else if (!row.sentBy(version, read.ended())) {
      return Finding.IMPOSSIBLE;
    }
    return version < row.newestBefore(read.started()) ? Finding.STALE : Finding.FRESH;
  }
}
