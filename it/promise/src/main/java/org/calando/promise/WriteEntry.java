package org.calando.promise;

import java.util.List;

/**
 * A write of one row in the books. Times are of the machine's monotonic clock, which all processes
 * share.
 *
 * @param key of the row
 * @param version that was written, larger than those before of the same key
 * @param sent when
 * @param acknowledged when; {@link #NEVER} if it failed, and may be there or not
 * @param gone from when on the row may be absent because of this write; {@link #NEVER} for most
 * @param error simple name of what went wrong; empty for nothing
 */
record WriteEntry(long key, long version, long sent, long acknowledged, long gone, String error) {
  /** No time. */
  static final long NEVER = Long.MAX_VALUE;

  String line() {
    return key + "," + version + "," + sent + "," + acknowledged + "," + gone + "," + error;
  }

  static WriteEntry parse(String line) {
    List<String> cells = List.of(line.split(",", -1));
    return new WriteEntry(
        Long.parseLong(cells.get(0)),
        Long.parseLong(cells.get(1)),
        Long.parseLong(cells.get(2)),
        Long.parseLong(cells.get(3)),
        Long.parseLong(cells.get(4)),
        cells.get(5));
  }
}
