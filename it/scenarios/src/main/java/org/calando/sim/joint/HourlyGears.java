package org.calando.sim.joint;

import java.util.List;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.policy.gear.GearState;
import org.calando.core.policy.joint.HourlySettings.Hour;

/**
 * Gears by a plan of hours. A higher one is ordered before its hour, so that it serves in it.
 * Immutable and thread safe.
 *
 * @param hours one or more; the last holds after them
 * @param beginNanos when the first begins, on the loop's clock; it holds before, too
 * @param hourNanos length of an hour, above 0
 * @param earlyNanos how long before an hour a higher gear is ordered, 0 or more
 */
record HourlyGears(List<Hour> hours, long beginNanos, long hourNanos, long earlyNanos)
    implements GearPolicy {
  HourlyGears {
    hours = List.copyOf(hours);
  }

  @Override
  public String name() {
    return "hourly";
  }

  @Override
  public int first(int highest) {
    return Math.min(highest, hours.get(0).gear());
  }

  /** What is set at a time. */
  Hour at(long nanos) {
    long hour = Math.floorDiv(nanos - beginNanos, hourNanos);
    return hours.get((int) Math.max(0, Math.min(hours.size() - 1L, hour)));
  }

  @Override
  public Step<GearState> decide(GearState state, GearObservation observation) {
    long now = observation.atNanos();
    int gear = Math.max(at(now).gear(), at(now + earlyNanos).gear());
    return new Step<>(
        GearState.INITIAL,
        List.of(new Setting<>(KnobId.GEAR, observation.target(), gear)),
        List.of("hourly: gear " + gear));
  }
}
