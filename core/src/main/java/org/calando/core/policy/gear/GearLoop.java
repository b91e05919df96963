package org.calando.core.policy.gear;

import java.util.List;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;

/**
 * Drives a policy of gears: keeps its state from decision to decision. Pure, so that a controller
 * and the simulator make the same decisions of the same observations. Not thread safe.
 */
public final class GearLoop {
  private final GearPolicy policy;
  private GearState state;

  /** A loop from the beginning. */
  public GearLoop(GearPolicy policy) {
    this(policy, policy.initial());
  }

  /**
   * A loop that goes on where another ended.
   *
   * @param state the other's {@link #state}
   */
  public GearLoop(GearPolicy policy, GearState state) {
    this.policy = policy;
    this.state = state;
  }

  /**
   * A decision with all that it was made from. Immutable and thread safe.
   *
   * @param observation what was known
   * @param before the state before
   * @param step what was decided, with the state after
   */
  public record Decided(GearObservation observation, GearState before, Step<GearState> step) {
    /** The gear that was decided for; that of the observation if none was. */
    public int gear() {
      return gearOf(step, observation.gear());
    }
  }

  /** Decides, and remembers. */
  public Decided decide(GearObservation observation) {
    GearState before = state;
    Step<GearState> step = policy.decide(before, observation);
    state = step.state();
    return new Decided(observation, before, step);
  }

  /** What the policy remembers. */
  public GearState state() {
    return state;
  }

  /** The gear that a step sets; another if it sets none. */
  static int gearOf(Step<GearState> step, int otherwise) {
    for (Setting<?> setting : step.settings()) {
      if (setting.knob().equals(KnobId.GEAR) && setting.value() instanceof Integer gear) {
        return gear;
      }
    }
    return otherwise;
  }

  /** The decisions that a policy makes of observations, from its beginning. */
  public static List<Decided> replay(GearPolicy policy, List<GearObservation> observations) {
    GearLoop loop = new GearLoop(policy);
    return observations.stream().map(loop::decide).toList();
  }
}
