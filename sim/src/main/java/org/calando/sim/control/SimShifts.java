package org.calando.sim.control;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.calando.control.ShiftedNodes;
import org.calando.control.shift.GearShifts;
import org.calando.core.energy.NodeProfile;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.time.Scheduler;
import org.calando.sim.away.ShiftCosts;
import org.calando.sim.cluster.ClusterCounts;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.Topology;

/*
 * The nodes of the first racks belong to gear 1, those of the next rack to gear 2, and so on. A shift down is announced, takes
 * nodes out of service after the notice, so that those who choose levels ask no more replicas than
 * will be left, and switches them off when they have had the time of the shifts' costs to end what they do;
 * a shift up lets them boot, and has ended when clients may use them. Writes that a node missed come to
 * it as hints: they are what catch-up is here.
 */
/**
 * Nodes of a simulated cluster that are shifted from gear to gear, in simulated time, from all on.
 * Belongs to the simulation's thread.
 */
final class SimShifts implements GearShifts {
  /** What is decided for. */
  static final String TARGET = "cluster";

  private final SimCluster cluster;
  private final Scheduler scheduler;
  private final ShiftedNodes.Settings settings;
  private final GearModel model;
  private final int[] order;
  private final List<Long> bootsNanos = new ArrayList<>();
  private final List<NodeProfile> booted = new ArrayList<>();
  private int gear;
  private int serving;
  private int shifts;
  private long leftNanos;
  private long lookNanos;
  private long begun;
  private long writes;
  private boolean looked;
  private CompletableFuture<Void> shift = CompletableFuture.completedFuture(null);

  /**
   * All nodes are on.
   *
   * @param model whose nodes are those of the cluster
   */
  SimShifts(
      SimCluster cluster, Scheduler scheduler, ShiftedNodes.Settings settings, GearModel model) {
    if (model.nodes().size() != cluster.config().topology().size()) {
      throw new IllegalArgumentException(
          model.nodes().size() + " nodes of " + cluster.config().topology().size());
    }
    this.cluster = cluster;
    this.order = order(cluster.config().topology());
    this.scheduler = scheduler;
    this.settings = settings;
    this.model = model;
    this.gear = model.highest();
    this.serving = gear;
  }

  /** The nodes rack by rack, the last to go off first. */
  private static int[] order(Topology topology) {
    return IntStream.range(0, topology.size())
        .boxed()
        .sorted(Comparator.comparingInt(topology::rackOf))
        .mapToInt(node -> node)
        .toArray();
  }

  /** Begins in a gear: the others were off before. */
  void beginIn(int first) {
    for (int i = model.nodesOn(first); i < order.length; i++) {
      cluster.switchOff(order[i]);
    }
    gear = first;
    serving = first;
  }

  private long now() {
    return cluster.simulation().nowNanos();
  }

  @Override
  public int highest() {
    return model.highest();
  }

  @Override
  public String words(boolean isUnderWay) {
    return (isUnderWay ? "shifting to gear " : "gear ") + gear;
  }

  @Override
  public CompletionStage<?> shift(int to) {
    int from = gear;
    shift = new CompletableFuture<>();
    gear = to;
    serving = Math.min(from, to);
    shifts++;
    ShiftCosts costs = cluster.config().absences().costs();
    long noticeNanos = Math.max(settings.noticeNanos(), costs.noticeNanos());
    long drainNanos = now() + (to < from ? noticeNanos : 0);
    leftNanos = drainNanos + (to < from ? costs.stopNanos() : 0);
    for (int i = model.nodesOn(to); i < model.nodesOn(from); i++) {
      int leaving = order[i];
      cluster.announceOff(leaving);
      if (noticeNanos == 0) {
        cluster.drain(leaving);
      } else {
        scheduler.at(drainNanos, () -> cluster.drain(leaving));
      }
      scheduler.at(leftNanos, () -> cluster.switchOff(leaving));
    }
    for (int i = model.nodesOn(from); i < model.nodesOn(to); i++) {
      cluster.switchOn(order[i]);
      bootsNanos.add(now());
      booted.add(model.nodes().get(i));
    }
    return shift;
  }

  /** Nodes that ought to serve in a gear and do not. */
  private int notServing(int inGear) {
    int count = 0;
    for (int i = 0; i < model.nodesOn(inGear); i++) {
      count += cluster.isServing(order[i]) ? 0 : 1;
    }
    return count;
  }

  /** What is known of the cluster now; ends a shift that has come to its end. */
  GearObservation look(long now) {
    if (!shift.isDone() && now >= leftNanos && notServing(gear) == 0) {
      serving = gear;
      shift.complete(null);
    }
    return new GearObservation(
        now,
        (long) Math.floor(now / 1e9 * settings.speed() + 1e-6),
        TARGET,
        gear,
        notServing(serving),
        load(now));
  }

  /** Of the last period; what was refused or is without an answer counts too. */
  private Optional<GearObservation.Load> load(long now) {
    ClusterCounts counts = cluster.counts();
    double seconds = (now - lookNanos) / 1e9;
    double all = counts.reads() + counts.writes() - begun;
    double written = counts.writes() - writes;
    boolean first = !looked || seconds == 0;
    lookNanos = now;
    begun = counts.reads() + counts.writes();
    writes = counts.writes();
    looked = true;
    return first
        ? Optional.empty()
        : Optional.of(
            new GearObservation.Load(
                now, all / seconds, written / seconds * settings.writtenBytes()));
  }

  /** The gear that the cluster is in, or being shifted to. */
  @Override
  public int gear() {
    return gear;
  }

  /** What has come of it until now. */
  ShiftedNodes.Totals totals() {
    double joules = 0;
    for (int i = 0; i < booted.size(); i++) {
      joules += comingJoules(booted.get(i), (now() - bootsNanos.get(i)) / 1e9);
    }
    return new ShiftedNodes.Totals(
        now(), shifts, joules, cluster.counts().hintsDelivered() * settings.writtenBytes());
  }

  /** Of a machine's boot and of its process's start, so many seconds after it was switched on. */
  private double comingJoules(NodeProfile node, double seconds) {
    ShiftCosts costs = cluster.config().absences().costs();
    double startSeconds = costs.startNanos() / 1e9;
    double boot = node.bootWatts() * Math.min(seconds, node.bootSeconds());
    if (seconds <= node.bootSeconds() || startSeconds == 0) {
      return boot;
    }
    double busy = node.utilisation(costs.startWorkNanos() / 1e9, startSeconds);
    return boot + node.watts(busy) * Math.min(seconds - node.bootSeconds(), startSeconds);
  }
}
