package org.calando.core.staleness;

/**
 * Harmony's estimate as published: Chihoub et al., "Harmony: Towards automated self-adaptive
 * consistency in cloud storage", CLUSTER 2012, equations (6) and (8). Immutable and thread safe.
 *
 * <p>Kept as it is, for comparison: the sum over writes includes one that does not exist and adds
 * up windows that overlap, so that the figure may exceed 1 ({@link #unclamped}); it grows with the
 * rate of reads, on which the share of stale reads does not depend; and it takes the rates of the
 * whole store as if they were one key's. {@link ExactStaleness} is the exact answer of the same
 * model.
 *
 * <p><b>Writes at more than ONE.</b> The formula knows no W: it supposes that one replica has a
 * write when it is acknowledged. With W > 1 it over-estimates, the true share being smaller by
 * C(N-W,X) / C(N,X) over (N-X)/N; and where X + W > N it still says more than 0, although no read
 * is stale.
 *
 * <p>It has no k- and no t-staleness.
 *
 * @param replicas N, 1 or more
 * @param readsPerSecond reads, lambda_r, 0 or more
 * @param writesPerSecond writes, 0 or more; the paper's lambda_w is their mean gap, the inverse
 * @param tpSeconds time that a write takes to reach every replica, Tp, 0 or more; infinite if it
 *     never does
 */
public record Harmony(int replicas, double readsPerSecond, double writesPerSecond, double tpSeconds)
    implements StaleEstimate {
  // A number of replicas that is whole but for rounding is not rounded up.
  private static final double WHOLE = 1e-9;

  public Harmony {
    Overlap.require("all", replicas, replicas);
    Overlap.require("reads per second", readsPerSecond);
    Overlap.require("writes per second", writesPerSecond);
    if (!(tpSeconds >= 0)) {
      throw new IllegalArgumentException("Tp in seconds " + tpSeconds);
    }
  }

  /** Equation (6) within 0 .. 1. */
  @Override
  public double rate(int read) {
    return Math.min(1, unclamped(read));
  }

  /**
   * Equation (6), for X replicas read: (N-X)/N (1 - exp(-lambda_r Tp)) (1 + rho) / rho, with rho
   * the reads for each write.
   *
   * @param read X, 1 .. N
   * @return 0 or more, and more than 1 too; 0 without reads, without writes or for a Tp of 0
   */
  public double unclamped(int read) {
    Overlap.require("a read of", read, replicas);
    return (replicas - read) / (double) replicas * whole();
  }

  /**
   * Equation (8) made whole: the smallest number of replicas that is no less than {@link
   * #unclampedReplicasFor}, within 1 .. N.
   */
  @Override
  public int replicasFor(double tolerated) {
    double exact = unclampedReplicasFor(tolerated);
    return (int) Math.min(replicas, Math.max(1, StrictMath.ceil(exact - WHOLE)));
  }

  /**
   * Equation (8): the X, not whole, for which (6) is the tolerated share.
   *
   * @param tolerated share of stale reads, 0 .. 1
   * @return at most N, and below 1 or negative where (6) is less than the share already; 1 without
   *     reads, without writes or for a Tp of 0, where (8) is 0 / 0
   */
  public double unclampedReplicasFor(double tolerated) {
    double whole = whole();
    return whole == 0 ? 1 : replicas * (1 - tolerated / whole);
  }

  /** (6) without the share of the replicas. */
  private double whole() {
    if (readsPerSecond == 0 || writesPerSecond == 0 || tpSeconds == 0) {
      return 0;
    }
    // (1 + rho) / rho, without the detour by rho, which may leave the range of numbers.
    return Poisson.any(readsPerSecond * tpSeconds) * (1 + writesPerSecond / readsPerSecond);
  }
}
