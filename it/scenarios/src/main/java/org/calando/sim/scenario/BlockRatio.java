package org.calando.sim.scenario;

/*
 * Single reads are correlated: one late write makes many of them stale. So time is dealt into
 * blocks, and a share is a ratio of sums over blocks, s / n, with the standard error of such a ratio
 * (Cochran, Sampling Techniques, section 6.4):
 *
 *   sqrt( B / (B - 1) sum (s_b - share n_b)^2 ) / n
 */
/**
 * A share of what was counted by the second, with its standard error by blocks of time. Immutable.
 *
 * @param all counted, 0 or more
 * @param hits of these
 * @param standardError of the share; not a number if nothing was counted
 * @param blocks in which something was
 */
public record BlockRatio(long all, long hits, double standardError, int blocks) {
  /** So many standard errors stand for any number of none. */
  private static final double NO_ERROR = 1e9;

  /**
   * Of counts by the second.
   *
   * @param hits of what was counted
   * @param all what was counted; as many seconds, of which those after the last whole block are
   *     left out
   * @param blockSeconds length of a block, 1 or more
   */
  public static BlockRatio of(long[] hits, long[] all, int blockSeconds) {
    int blocks = all.length / blockSeconds;
    double[] n = new double[blocks];
    double[] s = new double[blocks];
    long sum = 0;
    long sumOfHits = 0;
    for (int i = 0; i < blocks * blockSeconds; i++) {
      n[i / blockSeconds] += all[i];
      s[i / blockSeconds] += hits[i];
      sum += all[i];
      sumOfHits += hits[i];
    }
    double share = sum == 0 ? 0 : (double) sumOfHits / sum;
    double squares = 0;
    int used = 0;
    for (int i = 0; i < blocks; i++) {
      used += n[i] > 0 ? 1 : 0;
      double residual = s[i] - share * n[i];
      squares += residual * residual;
    }
    double error = sum == 0 ? Double.NaN : Math.sqrt(squares * used / (used - 1)) / sum;
    return new BlockRatio(sum, sumOfHits, error, used);
  }

  /** Hits over all; 0 if nothing was counted. */
  public double share() {
    return all == 0 ? 0 : (double) hits / all;
  }

  /**
   * How many standard errors the share lies above another; below 0 if it is under it. Where nothing
   * was counted nothing is shown: it lies as far above as can be.
   */
  public double above(double other) {
    if (all == 0) {
      return NO_ERROR;
    }
    double over = share() - other;
    return over == 0 || standardError == 0 ? Math.signum(over) * NO_ERROR : over / standardError;
  }
}
