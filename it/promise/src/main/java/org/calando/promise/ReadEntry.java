package org.calando.promise;

import java.util.List;

/**
 * A read of one row in the books; times as of {@link WriteEntry}.
 *
 * @param task that read
 * @param key of the row
 * @param version that came; {@link #NOTHING} if there was no row, or the read failed
 * @param started when
 * @param ended when the answer was there
 * @param level at which it was sent; empty if that is not known
 * @param error simple name of what went wrong; empty for nothing
 */
record ReadEntry(
    String task, long key, long version, long started, long ended, String level, String error) {
  /** No row. */
  static final long NOTHING = -1;

  boolean failed() {
    return !error.isEmpty();
  }

  /**
   * How many replicas of N a level asks.
   *
   * @throws IllegalArgumentException for a level that no read has
   */
  int replicas(int factor) {
    return switch (level) {
      case "ONE", "LOCAL_ONE" -> 1;
      case "TWO" -> 2;
      case "THREE" -> 3;
      case "QUORUM", "LOCAL_QUORUM" -> factor / 2 + 1;
      case "ALL" -> factor;
      default -> throw new IllegalArgumentException("a read at level '" + level + "'");
    };
  }

  String line() {
    return String.join(
        ",",
        task,
        Long.toString(key),
        Long.toString(version),
        Long.toString(started),
        Long.toString(ended),
        level,
        error);
  }

  static ReadEntry parse(String line) {
    List<String> cells = List.of(line.split(",", -1));
    return new ReadEntry(
        cells.get(0),
        Long.parseLong(cells.get(1)),
        Long.parseLong(cells.get(2)),
        Long.parseLong(cells.get(3)),
        Long.parseLong(cells.get(4)),
        cells.get(5),
        cells.get(6));
  }
}
