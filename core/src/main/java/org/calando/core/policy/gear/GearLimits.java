package org.calando.core.policy.gear;

import java.time.Duration;

/**
 * How carefully gears are lowered. Immutable and thread safe.
 *
 * @param headRoom share of a gear's capacity that stays free, 0 or more and less than 1
 * @param hysteresis share of a lower gear's capacity that must be free beyond that before it is
 *     shifted to, 0 or more; with {@code headRoom} less than 1
 * @param residencyNanos time in a gear before a lower one is shifted to, 0 or more; higher ones are
 *     at once
 * @param maxAgeNanos how old the load may be, above 0; also the longest time between decisions over
 *     which waiting goes on
 */
public record GearLimits(
    double headRoom, double hysteresis, long residencyNanos, long maxAgeNanos) {
  public GearLimits {
    if (!(headRoom >= 0 && hysteresis >= 0 && headRoom + hysteresis < 1)) {
      throw new IllegalArgumentException(
          "head-room of " + headRoom + " and hysteresis of " + hysteresis);
    }
    if (residencyNanos < 0 || maxAgeNanos <= 0) {
      throw new IllegalArgumentException(
          "residency of " + residencyNanos + " ns, greatest age of " + maxAgeNanos + " ns");
    }
  }

  /** What is usual: 20 % and 5 % of the capacity, 10 minutes, loads up to 3 minutes old. */
  public static GearLimits defaults() {
    return new GearLimits(
        0.2, 0.05, Duration.ofMinutes(10).toNanos(), Duration.ofMinutes(3).toNanos());
  }

  /** The same with another head-room. */
  public GearLimits withHeadRoom(double newHeadRoom) {
    return new GearLimits(newHeadRoom, hysteresis, residencyNanos, maxAgeNanos);
  }

  /** The same with another hysteresis. */
  public GearLimits withHysteresis(double newHysteresis) {
    return new GearLimits(headRoom, newHysteresis, residencyNanos, maxAgeNanos);
  }

  /** The same with another residency. */
  public GearLimits withResidency(long newResidencyNanos) {
    return new GearLimits(headRoom, hysteresis, newResidencyNanos, maxAgeNanos);
  }

  /** The same for loads of another age. */
  public GearLimits withMaxAge(long newMaxAgeNanos) {
    return new GearLimits(headRoom, hysteresis, residencyNanos, newMaxAgeNanos);
  }
}
