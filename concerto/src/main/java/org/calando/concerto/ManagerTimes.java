package org.calando.concerto;

import java.time.Duration;

/**
 * How often a manager does what. Immutable and thread safe.
 *
 * @param decideNanos between two decisions without an event, 1 ms or more
 * @param verifyNanos between two looks whether clocks are as they were set, 1 ms or more
 * @param energyNanos between two readings of CPU time for the account of energy, 1 ms or more
 */
public record ManagerTimes(long decideNanos, long verifyNanos, long energyNanos) {
  private static final long LEAST_NANOS = 1_000_000;

  public ManagerTimes {
    if (Math.min(decideNanos, Math.min(verifyNanos, energyNanos)) < LEAST_NANOS) {
      throw new IllegalArgumentException(
          "times %d, %d, %d ns below 1 ms".formatted(decideNanos, verifyNanos, energyNanos));
    }
  }

  /** A decision and a look each second, an entry in the account each five. */
  public static ManagerTimes defaults() {
    return new ManagerTimes(
        Duration.ofSeconds(1).toNanos(),
        Duration.ofSeconds(1).toNanos(),
        Duration.ofSeconds(5).toNanos());
  }
}
