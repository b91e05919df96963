package org.calando.knob.compaction;

import static org.calando.schema.Types.integer;

import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.calando.control.Sensor;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.store.Capable;
import org.calando.core.store.CompactionLimits;
import org.calando.knob.KnobAgents;
import org.calando.knob.KnobType;
import org.calando.schema.Key;
import org.calando.schema.ScalarType;

/** How fast each node may compact, in MiB/s. */
public final class CompactionType implements KnobType<Integer> {
  static final KnobId<Integer> ID = new KnobId<>("compaction-throughput", Integer.class);

  /** 1 TiB/s, far more than a disk carries. */
  private static final int MOST = 1 << 20;

  private static final ScalarType<Integer> VALUES = integer(0, MOST);

  @Override
  public KnobId<Integer> id() {
    return ID;
  }

  @Override
  public String doc() {
    return "MiB/s that the compactions of each node may write; 0 is no limit. Needs a real Cassandra"
        + " whose nodes' JMX can be reached, from here or by the agents of their machines.";
  }

  @Override
  public String example() {
    return "[16, {backlog: {least: 16, most: 64}}]";
  }

  @Override
  public ScalarType<Integer> values() {
    return VALUES;
  }

  @Override
  public List<Key<? extends Controller<?>>> policies() {
    return List.of(Backlog.KEY);
  }

  @Override
  public Optional<Sensor> sensor(Capable cluster, Knob<Integer> knob) {
    return cluster
        .find(CompactionLimits.class)
        .map(JmxTarget::of)
        .<IntSupplier>map(nodes -> nodes::pending)
        .or(() -> cluster.find(KnobAgents.class).map(agents -> () -> pending(agents)))
        .map(pending -> new PendingSensor(pending, knob.target()));
  }

  private static int pending(KnobAgents agents) {
    return agents.figures(NodeLimit.PENDING, NodeLimit.PENDING_ATTRIBUTE).values().stream()
        .mapToInt(NodeLimit::waiting)
        .max()
        .orElse(0);
  }

  @Override
  public Optional<Knob<Integer>> bind(Capable cluster) {
    return cluster
        .find(CompactionLimits.class)
        .map(JmxTarget::of)
        .<Knob<Integer>>map(CompactionKnob::new)
        .or(() -> cluster.find(KnobAgents.class).map(agents -> agents.knob(this)));
  }

  @Override
  public String needs() {
    return "a real Cassandra with JMX of every node";
  }

  @Override
  public Knob<Integer> reach(String target) {
    return new CompactionKnob(JmxTarget.parse(target));
  }
}
