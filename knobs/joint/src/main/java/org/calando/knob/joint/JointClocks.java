package org.calando.knob.joint;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.control.Actor;
import org.calando.control.ClockedNodes;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.clock.OrderedClockPolicy;
import org.calando.core.replication.NodeView;
import org.calando.knob.KnobRun;
import org.calando.knob.LagRecord;
import org.calando.knob.ManagedClocks;
import org.calando.report.column.RunRecord;
import org.jspecify.annotations.Nullable;

/*
 *   decision --> clocks of replicas --> OrderedClockPolicy --> power manager, each second and when a role changes
 *
 * What is urgent does not wait for a decision: a node that may be the master is raised by the manager, whatever was ordered.
 */
/**
 * Has the clocks of replicas be as a joint controller decides, and keeps account of them. Thread
 * safe.
 */
final class JointClocks implements Actor, ClockedNodes.Listener {
  private final ManagedClocks spec;
  private final OrderedClockPolicy ordered;
  private final ClockedNodes.Managing nodes;

  // Guarded by this.
  private LagRecord lag = new LagRecord();
  private boolean measuring;
  private ClockedNodes.@Nullable Totals totals;

  private JointClocks(KnobRun run, ClockedNodes cluster) {
    this.spec = run.configuration().clocks();
    this.ordered = new OrderedClockPolicy(spec.limits());
    this.nodes =
        cluster.manage(
            run.schedulers().apply("calando-lags"),
            new ClockedNodes.Settings(
                run.workload().meanWriteBytes(),
                spec.times().pollNanos(),
                spec.times().decideNanos()),
            ordered,
            this);
  }

  /** Begins with all at their highest; empty where the study says nothing of clocks. */
  static Optional<JointClocks> begin(KnobRun run) {
    return run.cluster().find(ClockedNodes.class).map(cluster -> new JointClocks(run, cluster));
  }

  /** Clocks in force by node, in kHz. */
  Map<String, Long> inForce() {
    Map<String, Long> clocks = new HashMap<>();
    nodes.nodes().stream()
        .filter(node -> node.kiloHertz() > 0)
        .forEach(node -> clocks.put(node.view().node(), node.kiloHertz()));
    return clocks;
  }

  @Override
  public void act(Decision<?> decision, long nowNanos) {
    Map<String, Long> clocks = new HashMap<>();
    for (Setting<?> setting : decision.step().settings()) {
      if (setting.knob().equals(KnobId.CLOCK)) {
        clocks.put(setting.target(), KnobId.CLOCK.type().cast(setting.value()));
      }
    }
    ordered.order(clocks);
  }

  /** Nobody knows what is needed: all are at their highest. */
  @Override
  public void lost(String why, long nowNanos) {
    ordered.order(Map.of());
  }

  @Override
  public synchronized void looked(List<NodeView> views) {
    if (measuring) {
      lag.look(views);
    }
  }

  synchronized void measurementBegan() {
    nodes.beginAccount();
    lag = new LagRecord();
    measuring = true;
  }

  synchronized void measurementEnded(long nanos) {
    measuring = false;
    totals = nodes.endAccount(nanos);
  }

  synchronized void record(RunRecord found) {
    found.note(nodes.notes());
    ClockedNodes.Totals all = totals;
    if (all != null) {
      found.add(spec.figures(all, lag));
    }
  }

  /** {@inheritDoc} What is on lease goes back with that. */
  @Override
  public void close(long nowNanos) {
    ordered.order(Map.of());
  }

  /** Sets no clock any more. */
  void close() {
    nodes.close();
  }
}
