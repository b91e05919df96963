package org.calando.sim.gear;

import java.util.List;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.policy.gear.GearState;

/**
 * Follows a plan that was made of the load before it came: the bound that others are held against,
 * and nothing for a real cluster. Immutable and thread safe.
 *
 * @param plan gears by step
 * @param beginNanos when the first step begins, on the loop's clock
 * @param stepNanos length of a step, above 0
 */
public record HindsightGearPolicy(HindsightPlan plan, long beginNanos, long stepNanos)
    implements GearPolicy {
  @Override
  public String name() {
    return "hindsight";
  }

  @Override
  public Step<GearState> decide(GearState state, GearObservation observation) {
    long step = Math.floorDiv(observation.atNanos() - beginNanos, stepNanos);
    int gear = plan.gear((int) Math.max(0, Math.min(plan.steps() - 1L, step)));
    return new Step<>(
        GearState.INITIAL,
        List.of(new Setting<>(KnobId.GEAR, observation.target(), gear)),
        List.of("hindsight: gear " + gear + ", planned for step " + step));
  }
}
