package org.calando.core.observe;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import org.calando.core.workload.LogBuckets;

/**
 * How often each time occurred, since the begin. What occurred between two {@link #snapshot}s is
 * their difference, so nothing that is recorded meanwhile is lost. Thread safe; recording allocates
 * nothing.
 */
final class TimeCounts {
  private final AtomicLongArray counts = new AtomicLongArray(LogBuckets.COUNT);

  /** Counts a time; one below 0 as 0. */
  void record(long nanos) {
    record(nanos, 1);
  }

  /** Counts a time of so many. */
  void record(long nanos, int times) {
    counts.getAndAdd(LogBuckets.of(Math.max(0, nanos)), times);
  }

  /** The counts of now. */
  Snapshot snapshot() {
    long[] copy = new long[LogBuckets.COUNT];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = counts.get(i);
    }
    return new Snapshot(copy);
  }

  /** Counts at a moment, or between two. Immutable. */
  static final class Snapshot {
    private final long[] counts;
    private final long total;

    private Snapshot(long[] counts) {
      this.counts = counts;
      this.total = Arrays.stream(counts).sum();
    }

    /** What occurred after an earlier one. */
    Snapshot since(Snapshot earlier) {
      long[] each = new long[counts.length];
      for (int i = 0; i < each.length; i++) {
        each[i] = counts[i] - earlier.counts[i];
      }
      return new Snapshot(each);
    }

    long total() {
      return total;
    }

    /** How many are surely no longer than that: those of a bucket that it divides are not. */
    long atMost(long nanos) {
      return nanos < 0 ? 0 : Arrays.stream(counts, 0, LogBuckets.of(nanos + 1)).sum();
    }

    /**
     * The least of the longest times, at most 0.8 % off.
     *
     * @param some of so many as all times stand for, 1 .. all; the longest time at least
     */
    long longest(int some, int all) {
      return LogBuckets.largest(counts, Math.max(1, (double) total * some / all));
    }

    /**
     * A percentile, at most 0.8 % off; 0 if nothing occurred.
     *
     * @param percent 1 .. 100
     */
    long percentile(int percent) {
      return total == 0 ? 0 : LogBuckets.percentile(counts, total, percent);
    }
  }
}
