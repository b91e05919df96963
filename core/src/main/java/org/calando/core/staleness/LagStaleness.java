package org.calando.core.staleness;

/**
 * The share of stale reads from measured propagation lags, replica by replica: an empirical PBS
 * (Bailis et al., VLDB 2012) in which a read asks X random replicas, as Cassandra's do. Immutable
 * and thread safe.
 *
 * <p>Of a sampled write whose lags are, in order, l_1 .. l_N, a read of X random replicas meets the
 * j-th as its first with probability C(N-j, X-1) / C(N, X), and misses the write for that long.
 * With Poisson writes of a key at rate w its reads are stale at the mean over samples of sum_j
 * probability_j (1 - exp(-w l_j)); a table's are so in the mean over its reads. A lag that has no
 * end counts as stale for as long as no newer write is made, that is always.
 *
 * <p>The lags are those behind acknowledgements at the W in use. What the sample does not have, as
 * a delay that comes once in an hour, the estimate does not know: with S writes sampled a share of
 * less than about 3 / S may have been missed. Rates are off by at most 3e-6 against the sum above;
 * the other answers are the sum.
 */
public final class LagStaleness extends WindowStaleness {
  private LagStaleness(
      LagWindows lags, KeyPopularity popularity, double writesPerSecond, double[] rates) {
    super(lags::window, popularity, writesPerSecond, rates);
  }

  /**
   * Of a table.
   *
   * @param lags of the replicas
   * @param writesPerSecond writes of the table, 0 or more
   * @param popularity how requests spread over its keys
   */
  public static LagStaleness of(LagWindows lags, double writesPerSecond, KeyPopularity popularity) {
    Overlap.require("writes per second", writesPerSecond);
    double[] rates = new double[lags.replicas()];
    for (int bin = 0; bin < popularity.bins(); bin++) {
      lags.curves.add(writesPerSecond * popularity.writesPerKey(bin), popularity.reads(bin), rates);
    }
    for (int i = 0; i < rates.length; i++) {
      // Sums of shares may end a rounding above 1; and no larger read may seem to be worse.
      rates[i] = Math.min(i == 0 ? 1 : rates[i - 1], rates[i]);
    }
    return new LagStaleness(lags, popularity, writesPerSecond, rates);
  }
}
