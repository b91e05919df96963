package org.calando.sim.scenario;

/*
 * Single reads are correlated: one late write makes many of them stale. So the window is dealt into
 * blocks of 3 s, and the stale rate is a ratio of sums over blocks, s / n, with the standard error
 * of such a ratio (Cochran, Sampling Techniques, section 6.4):
 *
 *   sqrt( B / (B - 1) sum (s_b - rate n_b)^2 ) / n
 */
/**
 * What a run of a scenario came to in its measured window. Immutable.
 *
 * @param reads answered
 * @param stale of these, stale ones
 * @param standardError of the stale rate, by blocks of time
 * @param meanReplicas replicas that a read asked in the mean
 * @param errors operations that failed
 */
public record ScenarioResult(
    long reads, long stale, double standardError, double meanReplicas, long errors) {
  /** So many standard errors stand for any number of none. */
  private static final double NO_ERROR = 1e9;

  /** Seconds of a block. */
  static final int BLOCK_SECONDS = 3;

  /** Blocks of a measured window. */
  public static final int BLOCKS = (int) (Scenario.MEASURED_NANOS / 1_000_000_000L) / BLOCK_SECONDS;

  /** Of reads and stale reads by second; blocks without a read are left out. */
  static ScenarioResult of(long[] reads, long[] stale, double meanReplicas, long errors) {
    int blocks = BLOCKS;
    double[] n = new double[blocks];
    double[] s = new double[blocks];
    long allReads = 0;
    long allStale = 0;
    for (int i = 0; i < blocks * BLOCK_SECONDS; i++) {
      n[i / BLOCK_SECONDS] += reads[i];
      s[i / BLOCK_SECONDS] += stale[i];
      allReads += reads[i];
      allStale += stale[i];
    }
    double rate = allReads == 0 ? 0 : (double) allStale / allReads;
    double squares = 0;
    int used = 0;
    for (int i = 0; i < blocks; i++) {
      used += n[i] > 0 ? 1 : 0;
      double residual = s[i] - rate * n[i];
      squares += residual * residual;
    }
    double error = allReads == 0 ? Double.NaN : Math.sqrt(squares * used / (used - 1)) / allReads;
    return new ScenarioResult(allReads, allStale, error, meanReplicas, errors);
  }

  /** Stale reads over reads; 0 without reads. */
  public double staleRate() {
    return reads == 0 ? 0 : (double) stale / reads;
  }

  /**
   * How many standard errors the stale rate lies above a rate; below 0 if it is under it. A run
   * without reads has shown nothing: it lies as far above as can be.
   */
  public double above(double rate) {
    if (reads == 0) {
      return NO_ERROR;
    }
    double over = staleRate() - rate;
    return over == 0 || standardError == 0 ? Math.signum(over) * NO_ERROR : over / standardError;
  }
}
