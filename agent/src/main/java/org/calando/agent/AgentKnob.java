package org.calando.agent;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;
import org.calando.knob.KnobAxis;

/**
 * A knob of processes that agents reach, set alike on all. What was before is the agents' to know
 * and to restore, so it ends with this process. Thread safe.
 */
record AgentKnob<V>(KnobAxis<V> axis, AgentKnobs agents) implements Knob<V> {
  @Override
  public KnobId<V> id() {
    return axis.type().id();
  }

  @Override
  public String target() {
    return agents.target();
  }

  @Override
  public Lifetime lifetime() {
    return Lifetime.PROCESS;
  }

  /**
   * {@inheritDoc}
   *
   * @throws FailedWorkException if a process does not tell it, or they differ
   */
  @Override
  public V current() {
    Map<String, V> found = new TreeMap<>();
    agents
        .processes()
        .forEach(
            process ->
                found.put(process.node(), parsed(process, agents.current(process, id().name()))));
    if (new TreeSet<>(found.values().stream().map(axis::text).toList()).size() > 1) {
      throw new FailedWorkException(
          "the nodes are not set alike: " + found, "knob " + id().name(), "set them alike");
    }
    return found.values().iterator().next();
  }

  private V parsed(AgentKnobs.NodeProcess process, String text) {
    try {
      return axis.parse(text);
    } catch (IllegalArgumentException e) {
      throw new FailedWorkException(
          String.valueOf(e.getMessage()), process.toString(), "use an agent of this version", e);
    }
  }

  @Override
  public Plan plan(V from, V to) {
    // Also where both are the same: agents have it on lease then, and nobody else sets it.
    List<Plan.Action> steps =
        agents.processes().stream().<Plan.Action>map(each -> new Set(each, to)).toList();
    return new Plan(id().name(), target(), axis.text(to), steps);
  }

  private final class Set implements Plan.Action {
    private final AgentKnobs.NodeProcess process;
    private final V to;

    Set(AgentKnobs.NodeProcess process, V to) {
      this.process = process;
      this.to = to;
    }

    @Override
    public String name() {
      return "set " + process;
    }

    @Override
    public String describe() {
      return "set " + id().name() + " of " + process + " to " + axis.text(to);
    }

    @Override
    public void perform() {
      agents.want(process, id().name(), axis.text(to));
    }

    /** {@inheritDoc} What somebody else has set so is not ours to stay. */
    @Override
    public boolean isDone() {
      return agents.isWanted(process, id().name(), axis.text(to))
          && parsed(process, agents.value(process, id().name())).equals(to);
    }

    @Override
    public void undo() {
      agents.release(process, id().name());
    }
  }
}
