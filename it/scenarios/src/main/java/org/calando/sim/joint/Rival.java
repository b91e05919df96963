package org.calando.sim.joint;

import java.util.List;
import org.calando.core.policy.joint.HourlySettings.Hour;

/**
 * Who sets levels, gear and clocks of a run. Immutable and thread safe.
 *
 * @param name as figures have it
 * @param levels who sets levels
 * @param gears who sets the gear
 * @param nodeCapacity operations a second that a policy of gears takes a node to serve, above 0
 * @param hours what is set where nobody decides, and the clocks: equal parts of the measured
 *     window, one or more; the first also holds before
 * @param residencyNanos for how long policies stay in a gear, 0 or more
 */
public record Rival(
    String name, By levels, By gears, double nodeCapacity, List<Hour> hours, long residencyNanos) {
  /** Who sets a knob. */
  public enum By {
    /** A plan by the hour, or one setting. */
    PLAN,
    /** A policy of that knob alone. */
    POLICY,
    /** The joint controller, which then sets all of them. */
    JOINT
  }

  /** Keeps a copy of the list. */
  public Rival {
    hours = List.copyOf(hours);
    if (hours.isEmpty() || (levels == By.JOINT) != (gears == By.JOINT)) {
      throw new IllegalArgumentException(name + ": " + levels + ", " + gears + ", " + hours);
    }
  }

  /** By a plan. */
  public static Rival planned(String name, List<Hour> hours) {
    return new Rival(name, By.PLAN, By.PLAN, 1, hours, 0);
  }

  /** By the joint controller. */
  public static Rival joint(Hour first, long residencyNanos) {
    return new Rival("joint", By.JOINT, By.JOINT, 1, List.of(first), residencyNanos);
  }
}
