package org.calando.sim.control;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.calando.control.ClockedNodes;
import org.calando.control.ControlLoop;
import org.calando.core.energy.PStates;
import org.calando.core.policy.Decision;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.Setting;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.clock.ClockPolicy;
import org.calando.core.policy.clock.ClockState;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.time.Scheduler;
import org.calando.sim.cluster.Clocks;
import org.calando.sim.cluster.SimCluster;
import org.jspecify.annotations.Nullable;

/*
 *   nodes --> SimRoles (who is what, how far behind) --+
 *     ^  \--> SimWork  (CPU time of writes and reads) -+--> ControlLoop --------+
 *     +----------------------- clocks of cores --------------------------------+
 *
 * As the power manager of a real machine: roles are asked for at a steady pace, clocks are decided at
 * another, and at once when a role changes, in the same moment of simulated time. Watching and
 * deciding take no time and no work.
 */
/**
 * Sets the clocks of a simulated cluster's cores by a policy, in simulated time. Belongs to the
 * simulation's thread.
 */
public final class SimClocks implements ClockedNodes.Managing {
  private final SimCluster cluster;
  private final double cpuShare;
  private final ClockedNodes.Settings settings;
  private final ClockedNodes.Listener listener;
  private final PStates states;
  private final List<Long> clocksKHz;
  private final SimRoles roles;
  private final SimWork work;
  private final ControlLoop<ClockState> loop;
  private final long[] kiloHertz;
  private final Role[] role;
  private SimClockLedger ledger;
  private long changes;
  private long decideNanos;
  private long mayBeNanos;
  private ClockedNodes.@Nullable Totals mayBe;

  /**
   * Begins to manage, with a decision at the present time.
   *
   * @param cpuShare CPU time for a time that cores are busy
   * @throws org.calando.core.BadRequestException if the cluster's nodes have no roles of their own
   */
  public SimClocks(
      SimCluster cluster,
      double cpuShare,
      Scheduler scheduler,
      ClockedNodes.Settings settings,
      ClockPolicy policy,
      ClockedNodes.Listener listener) {
    this.cluster = cluster;
    this.cpuShare = cpuShare;
    this.settings = settings;
    this.listener = listener;
    this.roles = new SimRoles(cluster, settings.writeBytes());
    this.work = new SimWork(cluster);
    @Nullable Clocks clocks = cluster.config().clocks();
    if (clocks == null) {
      throw new IllegalStateException("roles without clocks");
    }
    this.states = clocks.states();
    this.clocksKHz =
        states.states().stream().map(state -> StrictMath.round(state.ghz() * 1e6)).toList();
    int nodes = roles.names().size();
    this.kiloHertz = new long[nodes];
    this.role = new Role[nodes];
    Arrays.fill(kiloHertz, clocksKHz.get(0));
    Arrays.fill(role, Role.UNKNOWN);
    for (int node = 0; node < nodes; node++) {
      cluster.clock(node, states.fastestGhz());
    }
    this.ledger = new SimClockLedger(cluster, states);
    cluster.replication().whenRolesChange(this::roleChanged);
    decideNanos = now();
    this.loop =
        ControlLoop.looking(
                scheduler,
                new PolicyLoop<>(policy, ClockObservation.TARGET),
                this::look,
                this::decided)
            .periodNanos(settings.lookNanos())
            .atOnce()
            .start();
  }

  private long now() {
    return cluster.simulation().nowNanos();
  }

  private void roleChanged() {
    decideNanos = now();
    loop.lookNow();
  }

  private Optional<ClockObservation> look(long now) {
    roles.look();
    List<NodeView> views = roles.view();
    for (int node = 0; node < views.size(); node++) {
      Role is = views.get(node).role();
      if (is != role[node] || cluster.energy().isOn(node) != ledger.isOn(node)) {
        ledger.enter(node, role[node], kiloHertz[node]);
        role[node] = is;
      }
    }
    listener.looked(views);
    if (now < decideNanos) {
      return Optional.empty();
    }
    decideNanos = now + settings.decideNanos();
    return Optional.of(observation(now));
  }

  private ClockObservation observation(long now) {
    roles.lookAtReads();
    List<NodeView> views = roles.view();
    List<ClockObservation.Node> nodes = new ArrayList<>();
    for (int node = 0; node < views.size(); node++) {
      work.look(node, kiloHertz[node]);
      nodes.add(new ClockObservation.Node(views.get(node), clocksKHz, work.of(node)));
    }
    return new ClockObservation(now, nodes);
  }

  private void decided(Decision<?> decision, long now) {
    decision.changes().stream()
        .sorted(Comparator.comparing(SimClocks::kiloHertz).reversed())
        .forEach(this::set);
    listener.decided(decision);
  }

  private static Long kiloHertz(Setting<?> setting) {
    return (Long) setting.value();
  }

  private void set(Setting<?> setting) {
    int node = roles.names().indexOf(setting.target());
    long wanted = kiloHertz(setting);
    if (wanted == kiloHertz[node]) {
      return;
    }
    ledger.enter(node, role[node], kiloHertz[node]);
    cluster.clock(node, states.states().get(clocksKHz.indexOf(wanted)).ghz());
    kiloHertz[node] = wanted;
    changes++;
    work.begin(node);
  }

  @Override
  public void beginAccount() {
    ledger = new SimClockLedger(cluster, states);
    changes = 0;
  }

  @Override
  public void mayEndAccount() {
    mayBe = totals();
    mayBeNanos = now();
  }

  @Override
  public ClockedNodes.Totals endAccount(long nanos) {
    ClockedNodes.Totals told = mayBe;
    return told != null && mayBeNanos == nanos ? told : totals();
  }

  /** The account from its begin to the present time. */
  ClockedNodes.Totals totals() {
    enterAll();
    return ledger.totals(cpuShare, changes);
  }

  private void enterAll() {
    for (int node = 0; node < kiloHertz.length; node++) {
      ledger.enter(node, role[node], kiloHertz[node]);
    }
  }

  @Override
  public List<ClockedNodes.Node> nodes() {
    enterAll();
    List<ClockedNodes.Node> nodes = new ArrayList<>();
    for (NodeView view : roles.view()) {
      int node = nodes.size();
      nodes.add(new ClockedNodes.Node(view, kiloHertz[node], ledger.busySeconds(node) * cpuShare));
    }
    return nodes;
  }

  /** The clock that a node runs at, in kHz. */
  long clockOf(int node) {
    return kiloHertz[node];
  }

  /** Ends: clocks stay as they are. Idempotent. */
  @Override
  public void close() {
    loop.close();
  }
}
