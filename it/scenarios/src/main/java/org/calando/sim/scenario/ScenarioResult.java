package org.calando.sim.scenario;

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
  /** Seconds of a block. */
  static final int BLOCK_SECONDS = 3;

  /** Blocks of a measured window. */
  public static final int BLOCKS = (int) (Scenario.MEASURED_NANOS / 1_000_000_000L) / BLOCK_SECONDS;

  /** Of reads and stale reads by second; blocks without a read are left out. */
  static ScenarioResult of(long[] reads, long[] stale, double meanReplicas, long errors) {
    BlockRatio found = BlockRatio.of(stale, reads, BLOCK_SECONDS);
    return new ScenarioResult(
        found.all(), found.hits(), found.standardError(), meanReplicas, errors);
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
    return new BlockRatio(reads, stale, standardError, BLOCKS).above(rate);
  }
}
