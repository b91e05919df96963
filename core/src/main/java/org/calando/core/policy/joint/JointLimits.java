package org.calando.core.policy.joint;

import java.time.Duration;

/**
 * How carefully a joint controller keeps its promise. Immutable and thread safe.
 *
 * @param margin part of each limit that is left free, 0 or more and less than 1
 * @param band further part that must be free before anything is eased, likewise
 * @param busyShare greatest predicted busy share of any node's cores, above 0 and below 1
 * @param easeNanos for how long levels and clocks must have been more than is needed before they
 *     are eased, 0 or more
 * @param residencyNanos the same of gears, if shifting pays by then
 * @param recoveryNanos how long replicas that were switched on are taken to lack writes, 0 or more
 * @param maxAgeNanos how old a signal may be, above 0; also the longest time between decisions over
 *     which waiting goes on
 * @param viaHighest whether from a gear below the highest no other than that is shifted to
 */
public record JointLimits(
    double margin,
    double band,
    double busyShare,
    long easeNanos,
    long residencyNanos,
    long recoveryNanos,
    long maxAgeNanos,
    boolean viaHighest) {
  /** Checks the limits. */
  public JointLimits {
    if (!(margin >= 0 && band >= 0 && margin + band < 1 && busyShare > 0 && busyShare < 1)
        || easeNanos < 0
        || residencyNanos < 0
        || recoveryNanos < 0
        || maxAgeNanos <= 0) {
      throw new IllegalArgumentException(
          "margin %s, band %s, busy %s, times %d, %d, %d, %d"
              .formatted(
                  margin, band, busyShare, easeNanos, residencyNanos, recoveryNanos, maxAgeNanos));
    }
  }

  /**
   * What is usual: 10 % free, 10 % more to ease, nodes busy for 85 % at most, 5 s and 10 minutes to
   * ease, a minute to recover, signals up to 10 s old.
   */
  public static JointLimits defaults() {
    return new JointLimits(
        0.1,
        0.1,
        0.85,
        Duration.ofSeconds(5).toNanos(),
        Duration.ofMinutes(10).toNanos(),
        Duration.ofMinutes(1).toNanos(),
        Duration.ofSeconds(10).toNanos(),
        false);
  }

  /**
   * The same where signals come at another pace: three periods and two windows of the monitor may
   * pass before one is too old, and easing takes longer than a shift down is announced for.
   *
   * @param periodNanos from one decision to the next
   * @param windowNanos over which the popularity of keys is learned
   */
  public JointLimits withMonitor(long periodNanos, long windowNanos) {
    return new JointLimits(
        margin,
        band,
        busyShare,
        Math.max(easeNanos, 4 * periodNanos),
        residencyNanos,
        recoveryNanos,
        Math.max(maxAgeNanos, Math.max(3 * periodNanos, 2 * windowNanos)),
        viaHighest);
  }

  /** The same with another residency in gears. */
  public JointLimits withResidency(long newResidencyNanos) {
    return new JointLimits(
        margin,
        band,
        busyShare,
        easeNanos,
        newResidencyNanos,
        recoveryNanos,
        maxAgeNanos,
        viaHighest);
  }

  /** The same for a cluster whose gears below the highest are reached from that alone, or not. */
  public JointLimits withViaHighest(boolean isViaHighest) {
    return new JointLimits(
        margin,
        band,
        busyShare,
        easeNanos,
        residencyNanos,
        recoveryNanos,
        maxAgeNanos,
        isViaHighest);
  }
}
