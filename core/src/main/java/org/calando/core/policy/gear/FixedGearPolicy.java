package org.calando.core.policy.gear;

import java.util.List;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;

/**
 * One gear always, whatever is observed: what others are compared with. Immutable and thread safe.
 *
 * @param gear 1 or more
 */
public record FixedGearPolicy(int gear) implements GearPolicy {
  public FixedGearPolicy {
    if (gear < 1) {
      throw new IllegalArgumentException("gear " + gear);
    }
  }

  @Override
  public String name() {
    return "gear " + gear;
  }

  @Override
  public int first(int highest) {
    return Math.min(gear, highest);
  }

  @Override
  public Step<GearState> decide(GearState state, GearObservation observation) {
    return new Step<>(
        GearState.INITIAL,
        List.of(new Setting<>(KnobId.GEAR, observation.target(), gear)),
        List.of(name() + ": always"));
  }
}
