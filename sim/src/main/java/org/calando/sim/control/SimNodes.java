package org.calando.sim.control;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.control.Actor;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.clock.ClockObservation.Node;
import org.calando.core.policy.clock.ClockObservation.Work;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.sim.cluster.Clocks;
import org.calando.sim.cluster.SimCluster;
import org.jspecify.annotations.Nullable;

/**
 * How busy the nodes of a simulated cluster are, which all do the same, and their clocks. A window
 * of a node begins anew with a change of its clock. Belongs to the simulation's thread.
 */
final class SimNodes implements Actor {
  private static final long WINDOW_NANOS = 1_000_000_000L;
  private static final List<Long> ONE_CLOCK = List.of(1L);

  private final SimCluster cluster;
  private final double writeBytes;
  private final @Nullable Clocks clocks;
  private final List<Long> clocksKHz;
  private final List<String> names = new ArrayList<>();
  private final long[] kiloHertz;
  private final long[] sinceNanos;
  private final long[] busySince;
  private final List<Optional<Work>> found = new ArrayList<>();

  /**
   * All nodes run at their fastest clock.
   *
   * @param writeBytes size of a write in the mean
   */
  SimNodes(SimCluster cluster, double writeBytes) {
    this.cluster = cluster;
    this.writeBytes = Math.max(1, writeBytes);
    this.clocks = cluster.config().clocks();
    this.clocksKHz =
        clocks == null
            ? ONE_CLOCK
            : clocks.states().states().stream()
                .map(state -> StrictMath.round(state.ghz() * 1e6))
                .toList();
    cluster.config().topology().nodes().forEach(node -> names.add(node.name()));
    this.kiloHertz = new long[names.size()];
    this.sinceNanos = new long[names.size()];
    this.busySince = new long[names.size()];
    Arrays.fill(kiloHertz, clocksKHz.get(0));
    for (int node = 0; node < names.size(); node++) {
      found.add(Optional.empty());
      begin(node);
    }
  }

  private long now() {
    return cluster.simulation().nowNanos();
  }

  private void begin(int node) {
    sinceNanos[node] = now();
    busySince[node] = cluster.energy().busyNanos(node, now());
  }

  /** Whether a node takes its share of the work, and is to go on so. */
  private boolean serves(int node) {
    return cluster.isServing(node)
        && cluster.energy().isOn(node)
        && cluster.isSeenUp(node)
        && !cluster.isOffByOrder(node);
  }

  /** What is known now; of a node that does not serve nothing is known of its work. */
  ClockObservation look(long nowNanos) {
    List<Node> nodes = new ArrayList<>();
    for (int node = 0; node < names.size(); node++) {
      boolean serves = serves(node);
      if (!serves) {
        begin(node);
        found.set(node, Optional.empty());
      } else if (nowNanos - sinceNanos[node] >= WINDOW_NANOS) {
        found.set(node, Optional.of(work(node, nowNanos)));
        begin(node);
      }
      NodeView view =
          new NodeView(
              NodeRole.unknown(names.get(node), nowNanos),
              false,
              false,
              serves,
              OptionalLong.of(Math.round(cluster.owed(node) * writeBytes)),
              OptionalLong.empty());
      nodes.add(new Node(view, clocksKHz, found.get(node)));
    }
    return new ClockObservation(nowNanos, nodes);
  }

  private Work work(int node, long nowNanos) {
    double seconds = (nowNanos - sinceNanos[node]) / 1e9;
    double busy = (cluster.energy().busyNanos(node, nowNanos) - busySince[node]) / 1e9;
    double share = Math.min(1, cluster.energy().utilisation(node, busy, seconds));
    return new Work(nowNanos, kiloHertz[node], share, 0, 0, 0, 0);
  }

  @Override
  public void act(Decision<?> decision, long nowNanos) {
    if (clocks == null) {
      return;
    }
    for (Setting<?> setting : decision.changes()) {
      if (setting.knob().equals(KnobId.CLOCK)) {
        set(names.indexOf(setting.target()), (Long) setting.value(), clocks);
      }
    }
  }

  private void set(int node, long wanted, Clocks of) {
    if (wanted != kiloHertz[node]) {
      begin(node);
      kiloHertz[node] = wanted;
      cluster.clock(node, of.states().states().get(clocksKHz.indexOf(wanted)).ghz());
    }
  }
}
