package org.calando.core.policy.clock;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;

/**
 * Drives a policy of clocks: keeps its state from decision to decision. Pure, so that a manager and
 * the simulator make the same decisions of the same observations. Not thread safe.
 */
public final class ClockLoop {
  private final ClockPolicy policy;
  private final Map<String, Object> lastSet = new HashMap<>();
  private ClockState state;

  /** A loop from the beginning. */
  public ClockLoop(ClockPolicy policy) {
    this(policy, policy.initial());
  }

  /**
   * A loop that goes on where another ended.
   *
   * @param state the other's {@link #state}
   */
  public ClockLoop(ClockPolicy policy, ClockState state) {
    this.policy = policy;
    this.state = state;
  }

  /**
   * A decision with all that it was made from. Immutable and thread safe.
   *
   * @param observation what was known
   * @param before the state before
   * @param step what was decided, with the state after
   * @param changed settings that differ from what this loop last decided; all of the first
   */
  public record Decided(
      ClockObservation observation,
      ClockState before,
      Step<ClockState> step,
      List<Setting<?>> changed) {
    public Decided {
      changed = List.copyOf(changed);
    }
  }

  /** Decides, and remembers. */
  public Decided decide(ClockObservation observation) {
    ClockState before = state;
    Step<ClockState> step = policy.decide(before, observation);
    state = step.state();
    List<Setting<?>> changed = new ArrayList<>();
    for (Setting<?> setting : step.settings()) {
      if (!setting.value().equals(lastSet.put(setting.target(), setting.value()))) {
        changed.add(setting);
      }
    }
    return new Decided(observation, before, step, changed);
  }

  /** Forgets what was set last, as somebody else has set clocks: all count as changed next. */
  public void forget() {
    lastSet.clear();
  }

  /** What the policy remembers. */
  public ClockState state() {
    return state;
  }

  /** The decisions that a policy makes of observations, from its beginning. */
  public static List<Decided> replay(ClockPolicy policy, List<ClockObservation> observations) {
    ClockLoop loop = new ClockLoop(policy);
    return observations.stream().map(loop::decide).toList();
  }
}
