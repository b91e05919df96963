package org.calando.sim.joint;

import java.util.List;
import java.util.Map;
import org.calando.core.energy.PStates;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.joint.JointCluster;
import org.calando.core.store.ReplicaPlacement;
import org.calando.core.workload.Workload;
import org.calando.load.RateProfile;
import org.calando.sim.cluster.Clocks;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.CoordinatorChoice;
import org.calando.sim.cluster.Links;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.Topology;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.scenario.Scenario;

/**
 * A cluster of as many racks as replicas, each of which holds all data, a load on it, what happens
 * meanwhile, and what clients are promised. Immutable and thread safe.
 *
 * @param cluster what may be set; as many gears as replicas, or one
 * @param promise what is to be kept
 * @param delays of messages between nodes, and of writes to the replicas that nobody waits for
 * @param workload reads and updates
 * @param load operations a second over the warm-up and the measured window
 * @param speed local seconds that pass in a second: above 1 in days that are compressed
 * @param warmUpNanos before what counts, 0 or more
 * @param measuredNanos what counts, above 0
 * @param events what happens, after the run's begin
 * @param seed of all that is random
 */
public record JointWorld(
    JointCluster cluster,
    Promise promise,
    Delays delays,
    Workload workload,
    RateProfile load,
    double speed,
    long warmUpNanos,
    long measuredNanos,
    List<Scenario.Event> events,
    long seed) {
  /** Keys of canaries, beyond the workload's. */
  private static final int CANARY_KEYS = 2048;

  private static final double CLIENT_NANOS = 130_000;
  private static final String CENTRE = "dc1";

  /** Keeps a copy of the list. */
  public JointWorld {
    events = List.copyOf(events);
  }

  /**
   * How long things are under way.
   *
   * @param links messages between nodes
   * @param lag writes to the replicas for which their level does not wait, besides
   */
  public record Delays(Distribution links, Distribution lag) {
    /** Links that take so many times as long. */
    public Links times(double factor) {
      return Links.builder()
          .client(Distribution.constant(CLIENT_NANOS))
          .withinRack(links.times(factor))
          .betweenRacks(links.times(factor))
          .betweenDataCentres(links.times(factor))
          .build();
    }
  }

  /** The greatest rate of operations. */
  double peakPerSecond() {
    return load.segments().stream()
        .mapToDouble(each -> Math.max(each.fromPerSecond(), each.toPerSecond()))
        .max()
        .orElse(load.lastPerSecond());
  }

  ReplicaPlacement placement() {
    return ReplicaPlacement.single(cluster.replicas());
  }

  ClusterConfig config() {
    int nodes = cluster.nodes(cluster.highest());
    Topology topology = Topology.racks(nodes, cluster.replicas());
    ClusterConfig.Builder builder =
        ClusterConfig.builder(
                topology,
                TokenRing.networkTopology(
                    TokenRing.evenTokens(nodes), topology, Map.of(CENTRE, cluster.replicas())))
            .links(delays.times(1))
            .profile(cluster.profile())
            .coordinators(CoordinatorChoice.TOKEN_AWARE)
            .lag(delays.lag())
            .mostKeys(workload.records() + CANARY_KEYS)
            .seed(seed);
    if (cluster.clocksKHz().size() > 1) {
      builder.clocks(new Clocks(PStates.xeonSilver4114(), cluster.clocks().idleActivity(), 0));
    }
    return builder.build();
  }

  /** The lowest gear that has the copies that are promised, and those that writes need. */
  public int lowestGear() {
    int survive = promise.count(Promised.SURVIVE).orElse(0);
    int wanted =
        Math.max(promise.count(Promised.COPIES).orElse(1), cluster.writeReplicas() + survive);
    int gear = 1;
    while (gear < cluster.highest() && cluster.copies(gear) < wanted) {
      gear++;
    }
    return gear;
  }

  /**
   * Its gears from one on.
   *
   * @param lowest which is gear 1 of these
   * @param nodeCapacity operations a second that a node serves, above 0
   */
  GearModel gears(int lowest, double nodeCapacity) {
    int highest = cluster.highest();
    return GearModel.ofEqualNodes(
        cluster.nodesOn().subList(lowest - 1, highest),
        cluster.profile(),
        nodeCapacity,
        cluster.offSeconds(),
        CatchUpModel.none(highest - lowest + 1));
  }
}
