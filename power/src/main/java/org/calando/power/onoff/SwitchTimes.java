package org.calando.power.onoff;

import java.time.Duration;
import java.util.Optional;

/**
 * How long switching a node may take, and how patient whoever orders it is. Immutable and thread
 * safe.
 *
 * @param onWithin until the node is on and answers, its boot included; above 0
 * @param offWithin until the node is off, by force if need be; above 0
 * @param forceAfter after how long a node that was asked to go off is turned off by force; shorter
 *     than {@code offWithin}, and empty for never
 * @param attempts how often one order is given at most, 1 or more
 * @param longestPause between two looks at the node; the first ones come sooner
 */
public record SwitchTimes(
    Duration onWithin,
    Duration offWithin,
    Optional<Duration> forceAfter,
    int attempts,
    Duration longestPause) {
  /** A machine with a slow boot, which is never turned off by force. */
  public static final SwitchTimes USUAL =
      new SwitchTimes(
          Duration.ofMinutes(10),
          Duration.ofMinutes(5),
          Optional.empty(),
          3,
          Duration.ofSeconds(5));

  /** Refuses times that cannot be kept. */
  public SwitchTimes {
    if (!isPositive(onWithin) || !isPositive(offWithin) || !isPositive(longestPause)) {
      throw new IllegalArgumentException("times must be above 0");
    }
    if (forceAfter.isPresent()
        && (forceAfter.get().isNegative() || forceAfter.get().compareTo(offWithin) >= 0)) {
      throw new IllegalArgumentException("force-after must be shorter than off-within");
    }
    if (attempts < 1) {
      throw new IllegalArgumentException("at least one attempt");
    }
  }

  private static boolean isPositive(Duration time) {
    return !time.isNegative() && !time.isZero();
  }

  /** The same within other times; force is dropped where there is no time for it. */
  public SwitchTimes within(Duration on, Duration off) {
    Optional<Duration> force = forceAfter.filter(after -> after.compareTo(off) < 0);
    return new SwitchTimes(on, off, force, attempts, longestPause);
  }

  /** The same with force after some time. */
  public SwitchTimes forcing(Duration after) {
    return new SwitchTimes(onWithin, offWithin, Optional.of(after), attempts, longestPause);
  }
}
