package org.calando.session.internal;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.calando.core.observe.ShadowTally.Verdict;
import org.jspecify.annotations.Nullable;

/*
 *   t0          the read P begins, and the strong one T with it
 *   g, c        the write times that P and T returned; of c the newest counts for the cut
 *   cut         the last write time that may have been acknowledged by t0
 *
 *   c > cut     a write came so late that it may not have been acknowledged: nothing is said, whatever P
 *               returned, for to look at what it returned would choose among the samples
 *   g < c       of any cell: P missed a write
 *   a cell of P that T lacks was deleted before, unless its time to live has just ended
 */
/** The write times that a read of one partition returned. Immutable. */
final class ShadowAnswer {
  /** Seconds that a cell may have left to live when only one of two reads at once returned it. */
  private static final int SECONDS_LEFT = 3;

  private static final long NONE = Long.MIN_VALUE;

  private final Map<List<ByteBuffer>, long[]> stamps = new HashMap<>();
  private final Map<List<ByteBuffer>, int[]> secondsLeft = new HashMap<>();
  private long newest = NONE;

  /**
   * Of an answer.
   *
   * @throws IllegalArgumentException if it has more than a page: rows of two first pages may differ
   */
  ShadowAnswer(AsyncResultSet answer, ShadowQuery query) {
    if (answer.hasMorePages()) {
      throw new IllegalArgumentException("more rows than are compared");
    }
    for (Row row : answer.currentPage()) {
      List<ByteBuffer> key = new ArrayList<>();
      for (int i = 0; i < query.clustering(); i++) {
        @Nullable ByteBuffer bytes = row.getBytesUnsafe(i);
        key.add(bytes == null ? ByteBuffer.allocate(0) : bytes);
      }
      long[] times = new long[query.cells()];
      int[] lives = new int[query.cells()];
      for (int cell = 0; cell < query.cells(); cell++) {
        int at = query.clustering() + 2 * cell;
        times[cell] = row.isNull(at) ? NONE : row.getLong(at);
        lives[cell] = row.isNull(at + 1) ? Integer.MAX_VALUE : row.getInt(at + 1);
        newest = Math.max(newest, times[cell]);
      }
      stamps.put(key, times);
      secondsLeft.put(key, lives);
    }
  }

  /** The newest write time in microseconds; the least long without one. */
  long newest() {
    return newest;
  }

  /**
   * What the strong answer says of this one.
   *
   * @param cut in microseconds
   */
  Verdict against(ShadowAnswer strong, long cut) {
    boolean older = strong.isNewer(this) || hasWhatWasDeleted(strong);
    if (strong.newest > cut) {
      return older ? Verdict.DROPPED_OLDER : Verdict.DROPPED;
    }
    return older ? Verdict.STALE : Verdict.FRESH;
  }

  /**
   * Whether this one lacks a write that the strong one has, or has a cell that was deleted.
   *
   * @param until the last write time that counts, in microseconds
   */
  boolean lacks(ShadowAnswer strong, long until) {
    return strong.isNewer(this, until)
        || hasWhatWasDeleted(strong)
        || strong.hasUntimedRowBeside(this);
  }

  /** A row of a key alone has no write time: it may be old. */
  private boolean hasUntimedRowBeside(ShadowAnswer other) {
    return stamps.entrySet().stream()
        .filter(row -> !other.stamps.containsKey(row.getKey()))
        .anyMatch(row -> Arrays.stream(row.getValue()).allMatch(time -> time == NONE));
  }

  private boolean isNewer(ShadowAnswer other) {
    return isNewer(other, Long.MAX_VALUE);
  }

  private boolean isNewer(ShadowAnswer other, long until) {
    return stamps.entrySet().stream()
        .anyMatch(
            row -> {
              long @Nullable [] there = other.stamps.get(row.getKey());
              return IntStream.range(0, row.getValue().length)
                  .anyMatch(
                      cell ->
                          row.getValue()[cell] != NONE
                              && row.getValue()[cell] <= until
                              && (there == null || there[cell] < row.getValue()[cell]));
            });
  }

  private boolean hasWhatWasDeleted(ShadowAnswer strong) {
    for (Map.Entry<List<ByteBuffer>, long[]> row : stamps.entrySet()) {
      long @Nullable [] there = strong.stamps.get(row.getKey());
      int[] left = secondsLeft.getOrDefault(row.getKey(), new int[0]);
      for (int cell = 0; cell < row.getValue().length; cell++) {
        boolean lacking = there == null || there[cell] == NONE;
        if (row.getValue()[cell] != NONE && lacking && left[cell] > SECONDS_LEFT) {
          return true;
        }
      }
    }
    return false;
  }
}
