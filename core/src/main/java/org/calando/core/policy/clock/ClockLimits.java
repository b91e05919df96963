package org.calando.core.policy.clock;

import java.time.Duration;

/**
 * How carefully clocks are lowered. Immutable and thread safe.
 *
 * @param maxAgeNanos how old a node's own word and its measured work may be to lower its clock,
 *     above 0; also the longest time between decisions over which waiting goes on
 * @param lowerAfterNanos for how long a lower clock must have done before it is set, 0 or more
 * @param caughtUpNanos the same for a replica that was raised because of its lag or its link, at
 *     least {@code lowerAfterNanos}
 * @param lagBytes greatest lag of a replica whose clock is lowered, in bytes of the replication
 *     stream, 0 or more
 * @param lagNanos greatest age of what it has yet to apply, 0 or more
 * @param resumeShare part of both limits within which a raised replica counts as caught up, above
 *     0, at most 1
 */
public record ClockLimits(
    long maxAgeNanos,
    long lowerAfterNanos,
    long caughtUpNanos,
    long lagBytes,
    long lagNanos,
    double resumeShare) {
  public ClockLimits {
    require(maxAgeNanos > 0, "max age", maxAgeNanos);
    require(lowerAfterNanos >= 0, "time to lower", lowerAfterNanos);
    require(caughtUpNanos >= lowerAfterNanos, "time to catch up", caughtUpNanos);
    require(lagBytes >= 0, "lag in bytes", lagBytes);
    require(lagNanos >= 0, "lag", lagNanos);
    require(resumeShare > 0 && resumeShare <= 1, "share to resume", resumeShare);
  }

  /**
   * What is usual: figures up to 2 s old, lowered after 2 s, after 5 s where a replica had to catch
   * up to half the limits, which are 1 MiB (a backlog's default) and 500 ms.
   */
  public static ClockLimits defaults() {
    return new ClockLimits(
        Duration.ofSeconds(2).toNanos(),
        Duration.ofSeconds(2).toNanos(),
        Duration.ofSeconds(5).toNanos(),
        1 << 20,
        Duration.ofMillis(500).toNanos(),
        0.5);
  }

  /** The same with other limits of the lag. */
  public ClockLimits withLag(long newLagBytes, long newLagNanos) {
    return new ClockLimits(
        maxAgeNanos, lowerAfterNanos, caughtUpNanos, newLagBytes, newLagNanos, resumeShare);
  }

  /** The same with other times to wait. */
  public ClockLimits withWaits(long newLowerAfterNanos, long newCaughtUpNanos) {
    return new ClockLimits(
        maxAgeNanos, newLowerAfterNanos, newCaughtUpNanos, lagBytes, lagNanos, resumeShare);
  }

  private static void require(boolean holds, String what, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(what + " of " + value);
    }
  }
}
