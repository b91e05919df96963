package org.calando.core.observe;

import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.calando.core.workload.LogBuckets;

/**
 * How many requests took how long, in the {@link LogBuckets} of whole microseconds. Those of
 * several clients add up, so that a percentile is one of all requests. Immutable and thread safe.
 */
public final class LatencyCounts {
  /** Of no request. */
  public static final LatencyCounts NONE = new LatencyCounts(new TreeMap<>());

  /** Longer ones, a minute, count as that. */
  private static final long MOST_MICROS = 60_000_000;

  /** Of a bucket, whatever is added to it: all buckets together stay a number. */
  private static final long MOST_COUNT = Long.MAX_VALUE / (LogBuckets.of(MOST_MICROS) + 1);

  private final SortedMap<Integer, Long> counts;
  private final long total;

  /** Counts requests from any number of threads. Thread safe. */
  public static final class Recorder {
    private final AtomicLongArray counts = new AtomicLongArray(LogBuckets.of(MOST_MICROS) + 1);

    /**
     * Counts a request.
     *
     * @param nanos how long it took
     */
    public void add(long nanos) {
      counts.incrementAndGet(LogBuckets.of(Math.max(0, Math.min(MOST_MICROS, nanos / 1000))));
    }

    /** All so far. */
    public LatencyCounts counts() {
      SortedMap<Integer, Long> all = new TreeMap<>();
      for (int bucket = 0; bucket < counts.length(); bucket++) {
        long count = counts.get(bucket);
        if (count > 0) {
          all.put(bucket, count);
        }
      }
      return new LatencyCounts(all);
    }
  }

  private LatencyCounts(SortedMap<Integer, Long> counts) {
    this.counts = counts;
    this.total = counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many requests there were. */
  public long total() {
    return total;
  }

  /** These and others; where there are more than can be counted, as many as can. */
  public LatencyCounts plus(LatencyCounts others) {
    SortedMap<Integer, Long> sum = new TreeMap<>(counts);
    others.counts.forEach(
        (bucket, count) ->
            sum.merge(bucket, count, (one, more) -> one + Math.min(more, MOST_COUNT - one)));
    return new LatencyCounts(sum);
  }

  /** Those that were counted since; where counts are smaller than before they began anew. */
  public LatencyCounts since(LatencyCounts before) {
    SortedMap<Integer, Long> rest = new TreeMap<>();
    counts.forEach(
        (bucket, count) -> {
          long more = count - before.counts.getOrDefault(bucket, 0L);
          if (more > 0) {
            rest.put(bucket, more);
          }
        });
    return new LatencyCounts(rest);
  }

  /**
   * What a share of the requests was no slower than.
   *
   * @param percent 1 .. 100
   * @return microseconds, 0.8 % off at most; empty without a request
   */
  public OptionalLong percentileMicros(int percent) {
    if (total == 0) {
      return OptionalLong.empty();
    }
    long[] all = new long[counts.lastKey() + 1];
    counts.forEach((bucket, count) -> all[bucket] = count);
    return OptionalLong.of(LogBuckets.percentile(all, total, percent));
  }

  /** How many took no longer than a time in microseconds. */
  public long upTo(long micros) {
    return counts.headMap(LogBuckets.of(micros) + 1).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** Pairs of bucket and count, as {@code 12:3 15:1}; empty without a request. */
  public String text() {
    StringJoiner text = new StringJoiner(" ");
    counts.forEach((bucket, count) -> text.add(bucket + ":" + count));
    return text.toString();
  }

  /**
   * What {@link #text} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static LatencyCounts parse(String text) {
    SortedMap<Integer, Long> counts = new TreeMap<>();
    int most = LogBuckets.of(MOST_MICROS);
    for (String pair : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
      int colon = pair.indexOf(':');
      int bucket = colon < 0 ? -1 : Integer.parseInt(pair.substring(0, colon));
      long count = colon < 0 ? -1 : Long.parseLong(pair.substring(colon + 1));
      if (bucket < 0 || bucket > most || count < 0 || count > MOST_COUNT) {
        throw new IllegalArgumentException("no counts of latencies: " + pair);
      }
      counts.put(bucket, count);
    }
    return new LatencyCounts(counts);
  }
}
