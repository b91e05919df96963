package org.calando.core.policy.clock;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * How far a replica was behind, over many looks. Immutable and thread safe.
 *
 * @param looks how often its lag was known, 0 or more
 * @param unknown how often it was not
 * @param p50 median; NaN without looks
 * @param p99 99th percentile, by nearest rank
 * @param max greatest
 */
public record LagSpread(int looks, int unknown, double p50, double p99, double max) {
  /** Of looks, in bytes or nanoseconds. */
  public static LagSpread of(List<OptionalLong> lags) {
    long[] known =
        lags.stream().filter(OptionalLong::isPresent).mapToLong(OptionalLong::getAsLong).toArray();
    Arrays.sort(known);
    return new LagSpread(
        known.length,
        lags.size() - known.length,
        rank(known, 0.5),
        rank(known, 0.99),
        rank(known, 1));
  }

  private static double rank(long[] sorted, double share) {
    return sorted.length == 0
        ? Double.NaN
        : sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
  }

  /** The same in other units. */
  public LagSpread dividedBy(double unit) {
    return new LagSpread(looks, unknown, p50 / unit, p99 / unit, max / unit);
  }
}
