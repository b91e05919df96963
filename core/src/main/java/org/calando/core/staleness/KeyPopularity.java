package org.calando.core.staleness;

import java.util.Arrays;

/**
 * How requests spread over the keys of a table, in bins of keys that are alike. Immutable and
 * thread safe.
 *
 * <p>What matters to staleness is a key's rate of writes; keys of nearly the same rate share a bin,
 * so that millions of keys take some dozens of bins.
 */
public final class KeyPopularity {
  private final double[] keys;
  private final double[] reads;
  private final double[] writes;

  private KeyPopularity(double[] keys, double[] reads, double[] writes) {
    this.keys = keys;
    this.reads = reads;
    this.writes = writes;
  }

  /**
   * A popularity by bins.
   *
   * @param keys keys of each bin, more than 0; not necessarily whole, for an estimate
   * @param reads share of all reads that go to the bin, 0 .. 1; in all 1
   * @param writes share of all writes that go to the bin, 0 .. 1; in all 1
   * @throws IllegalArgumentException if lengths differ, or shares do not add up to 1 within 1e-6
   */
  public static KeyPopularity of(double[] keys, double[] reads, double[] writes) {
    if (keys.length == 0 || keys.length != reads.length || keys.length != writes.length) {
      throw new IllegalArgumentException(
          "bins of keys %d, reads %d, writes %d"
              .formatted(keys.length, reads.length, writes.length));
    }
    if (!Arrays.stream(keys).allMatch(count -> count > 0)) {
      throw new IllegalArgumentException("a bin without keys: " + Arrays.toString(keys));
    }
    requireShares("reads", reads);
    requireShares("writes", writes);
    return new KeyPopularity(keys.clone(), reads.clone(), writes.clone());
  }

  /**
   * Every key alike.
   *
   * @param keys 1 or more
   */
  public static KeyPopularity uniform(long keys) {
    return of(new double[] {keys}, new double[] {1}, new double[] {1});
  }

  /** Number of bins. */
  public int bins() {
    return keys.length;
  }

  /** Keys in a bin. */
  public double keys(int bin) {
    return keys[bin];
  }

  /** Share of all reads that go to a bin. */
  public double reads(int bin) {
    return reads[bin];
  }

  /** Share of all writes that go to one key of a bin. */
  public double writesPerKey(int bin) {
    return writes[bin] / keys[bin];
  }

  private static void requireShares(String what, double[] shares) {
    double sum = 0;
    for (double share : shares) {
      if (!(share >= 0)) {
        throw new IllegalArgumentException("a share of " + what + " of " + share);
      }
      sum += share;
    }
    if (!(Math.abs(sum - 1) <= 1e-6)) {
      throw new IllegalArgumentException("shares of " + what + " add up to " + sum);
    }
  }
}
