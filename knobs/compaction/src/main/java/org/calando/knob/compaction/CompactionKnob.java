package org.calando.knob.compaction;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;

/** The limit of all nodes alike. Nodes forget it when they start again. Thread safe. */
record CompactionKnob(JmxTarget nodes) implements Knob<Integer> {
  @Override
  public KnobId<Integer> id() {
    return CompactionType.ID;
  }

  @Override
  public String target() {
    return nodes.toString();
  }

  @Override
  public Lifetime lifetime() {
    return Lifetime.LEASED;
  }

  /**
   * {@inheritDoc}
   *
   * @throws FailedWorkException if a node does not answer, or nodes differ: one value could not
   *     restore them
   */
  @Override
  public Integer current() {
    Map<String, Integer> found = new TreeMap<>();
    nodes.nodes().forEach(node -> found.put(node, limit(node).read()));
    if (new TreeSet<>(found.values()).size() > 1) {
      throw new FailedWorkException(
          "the nodes' compaction throughputs differ, in MiB/s: " + found,
          "knob " + id().name(),
          "set them alike, by nodetool setcompactionthroughput");
    }
    return found.values().iterator().next();
  }

  private NodeLimit limit(String node) {
    return new NodeLimit(node, nodes.login());
  }

  @Override
  public Plan plan(Integer from, Integer to) {
    List<Plan.Action> steps =
        nodes.nodes().stream()
            .<Plan.Action>map(node -> new SetLimit(limit(node), from, to))
            .toList();
    return new Plan(id().name(), target(), to.toString(), steps);
  }

  private record SetLimit(NodeLimit node, int from, int to) implements Plan.Action {
    @Override
    public String name() {
      return "set " + node.address();
    }

    @Override
    public String describe() {
      return "set the compaction throughput of " + node.address() + " to " + to + " MiB/s";
    }

    @Override
    public void perform() {
      node.write(to);
    }

    @Override
    public boolean isDone() {
      return node.read() == to;
    }

    @Override
    public void undo() {
      node.write(from);
      int now = node.read();
      if (now != from) {
        throw new FailedWorkException(
            "reads back as " + now + " MiB/s, not as " + from,
            "JMX " + node.address(),
            "set it by nodetool setcompactionthroughput");
      }
    }
  }
}
