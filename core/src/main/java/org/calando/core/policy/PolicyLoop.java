package org.calando.core.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Drives a policy for one target: keeps its state from decision to decision, and records each.
 *
 * <p>Pure, so that a controller, an application's session and the simulator make the same decisions
 * of the same observations. Not thread safe: one loop, one thread at a time.
 */
public final class PolicyLoop<S> {
  private final Policy<S> policy;
  private final String target;
  private final Map<String, Object> lastSet = new HashMap<>();
  private S state;

  /**
   * A loop from the beginning.
   *
   * @param target what it observes and decides for: a table
   */
  public PolicyLoop(Policy<S> policy, String target) {
    this.policy = policy;
    this.target = target;
    this.state = policy.initial();
  }

  /**
   * A loop that goes on where another ended.
   *
   * @param stateText the other's {@link #stateText}
   * @throws IllegalArgumentException if it is no state of this policy
   */
  public PolicyLoop(Policy<S> policy, String target, String stateText) {
    this.policy = policy;
    this.target = target;
    this.state = policy.read(stateText);
  }

  /**
   * Decides, and remembers.
   *
   * @param observation of this loop's target, no earlier than the last
   * @throws IllegalArgumentException if it is of another target
   */
  public Decision<S> decide(Observation observation) {
    if (!observation.target().equals(target)) {
      throw new IllegalArgumentException(
          "an observation of " + observation.target() + " for the loop of " + target);
    }
    String before = stateText();
    Step<S> step = policy.decide(state, observation);
    state = step.state();
    boolean changed = false;
    for (Setting<?> setting : step.settings()) {
      @Nullable Object last =
          lastSet.put(setting.knob().name() + ' ' + setting.target(), setting.value());
      changed |= !setting.value().equals(last);
    }
    return new Decision<>(observation, step, before, stateText(), changed);
  }

  /** What the policy remembers. */
  public S state() {
    return state;
  }

  /** What the policy remembers, as text to go on from. */
  public String stateText() {
    return policy.write(state);
  }

  /**
   * The decisions that a policy makes of observations, from its beginning.
   *
   * @param observations of one target
   */
  public static <S> List<Decision<S>> replay(Policy<S> policy, List<Observation> observations) {
    List<Decision<S>> decisions = new ArrayList<>();
    if (!observations.isEmpty()) {
      PolicyLoop<S> loop = new PolicyLoop<>(policy, observations.get(0).target());
      observations.forEach(observation -> decisions.add(loop.decide(observation)));
    }
    return decisions;
  }
}
