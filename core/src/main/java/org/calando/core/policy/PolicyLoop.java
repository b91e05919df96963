package org.calando.core.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Drives a controller for one target: keeps its state from decision to decision. The only caller of
 * {@link Controller#decide}.
 *
 * <p>Pure, so that a governor, an application's session and the simulator make the same decisions
 * of the same signals. Not thread safe: one loop, one thread at a time.
 */
public final class PolicyLoop<S> {
  private final Controller<S> controller;
  private final String target;
  private final Map<String, Object> lastSet = new HashMap<>();
  private S state;

  /**
   * A loop from the beginning.
   *
   * @param target what it decides for: a table, a cluster, a session
   */
  public PolicyLoop(Controller<S> controller, String target) {
    this.controller = controller;
    this.target = target;
    this.state = controller.initial();
  }

  /**
   * A loop that resumes where another ended.
   *
   * @param stateText the other's {@link #stateText}
   * @throws IllegalArgumentException if it is no state of this controller
   */
  public PolicyLoop(Controller<S> controller, String target, String stateText) {
    this.controller = controller;
    this.target = target;
    this.state = controller.read(stateText);
  }

  /**
   * Decides, and remembers.
   *
   * @param observed of this loop's target, no earlier than the last
   * @throws IllegalArgumentException if it is of another target
   */
  public Decision<S> decide(Observed observed) {
    Signals signals = observed.signals();
    if (!signals.target().equals(target)) {
      throw new IllegalArgumentException(
          "an observation of " + signals.target() + " for the loop of " + target);
    }
    S before = state;
    Step<S> step = controller.decide(before, signals);
    state = step.state();
    List<Setting<?>> changes = new ArrayList<>();
    for (Setting<?> setting : step.settings()) {
      String key = setting.knob().name() + ' ' + setting.target();
      if (!setting.value().equals(lastSet.put(key, setting.value()))) {
        changes.add(setting);
      }
    }
    return new Decision<>(controller, signals, before, step, changes);
  }

  /** Forgets what was set last, as somebody else has set knobs: all settings are changes next. */
  public void forget() {
    lastSet.clear();
  }

  /** What the controller remembers. */
  public S state() {
    return state;
  }

  /** What the controller remembers, as text to resume from. */
  public String stateText() {
    return controller.write(state);
  }
}
