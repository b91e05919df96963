package org.calando.clock;

import java.util.List;
import java.util.Set;

/** By which file a policy's clock is set, which its driver decides. */
public enum Steering {
  /** The governor userspace is told the clock: acpi-cpufreq, and all drivers in passive mode. */
  SETSPEED,
  /**
   * The upper limit is the clock at work: processors that choose the clock themselves below it, as
   * intel_pstate and amd-pstate have them in active mode.
   */
  CAP,
  /** Both limits are the clock: other drivers where the kernel has no governor userspace. */
  PIN;

  private static final Set<String> ACTIVE = Set.of("intel_pstate", "amd-pstate-epp");

  /** How a driver's clock is set. */
  static Steering of(String driver, List<String> governors) {
    if (governors.contains(PolicySettings.USERSPACE)) {
      return SETSPEED;
    }
    return ACTIVE.contains(driver) ? CAP : PIN;
  }
}
