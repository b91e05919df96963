package org.calando.study.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PStates;
import org.calando.core.layout.WarmShare;
import org.calando.engine.LinkDelay;
import org.calando.engine.StoreSpec;
import org.calando.knob.ManagedClocks;
import org.calando.sim.SimStore;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.LinkDelays;
import org.calando.sim.cluster.Links;
import org.calando.sim.cluster.Placement;
import org.calando.sim.cluster.ReplicaGroups;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.Topology;
import org.calando.sim.kernel.Simulation;
import org.calando.studyfile.StudySpec;
import org.calando.studyfile.sim.SimMachines;
import org.calando.studyfile.sim.SimModel;
import org.calando.studyfile.sim.SimSpec;

/**
 * Makes the simulated clusters of a study: a new one for each run, on rings that are worked out
 * once. Thread safe; the clusters belong to the threads of their simulations.
 */
public final class SimulatedClusters {
  /** Keys that a cluster can come to hold; only those written take memory. */
  private static final long MAX_KEYS = 1L << 32;

  private final SimSpec sim;
  private final NodeProfile profile;
  private final Optional<String> clients;
  private final long requestTimeoutNanos;
  private final Topology topology;
  private final SimMachinery machinery;
  private final Map<Optional<WarmShare>, Placement> placements = new ConcurrentHashMap<>();
  private final boolean managed;

  /**
   * The same, whose clocks somebody will set.
   *
   * @param managed states that they can be set to; empty if nobody does
   */
  public SimulatedClusters(StoreSpec store, NodeProfile profile, Optional<PStates> managed) {
    this.managed = managed.isPresent();
    this.sim = SimSpec.of(store).orElseThrow();
    this.profile = profile;
    this.clients =
        sim.dataCentres().size() > 1 ? store.replicas().localDatacenter() : Optional.empty();
    this.requestTimeoutNanos = store.requestTimeoutNanos();
    this.topology = topology(sim);
    this.machinery =
        new SimMachinery(sim, topology.nodes().stream().map(Topology.Node::name).toList(), managed);
  }

  /** Those of a study, whose policies set clocks if it has any. */
  public static SimulatedClusters of(StudySpec study) {
    return new SimulatedClusters(study.store(), study.power().profile(), states(study));
  }

  /** States that policies of a study can set clocks to; empty if it has no such policy. */
  public static Optional<PStates> states(StudySpec study) {
    if (!study.setsClocks()) {
      return Optional.empty();
    }
    Optional<PStates> ofCluster =
        SimSpec.of(study.store())
            .map(SimSpec::machines)
            .flatMap(SimMachines::clocks)
            .map(told -> told.clocks().states());
    return study
        .clocks()
        .flatMap(ManagedClocks::states)
        .or(() -> ofCluster)
        .or(() -> Optional.of(PStates.xeonSilver4114()));
  }

  private static Topology topology(SimSpec sim) {
    List<Topology.Node> nodes = new ArrayList<>(sim.size());
    for (SimSpec.DataCentre centre : sim.dataCentres()) {
      for (int i = 0; i < centre.nodes(); i++) {
        int number = i;
        int rack = sim.gears().map(gears -> gears.group(number)).orElse(i % sim.racks()) + 1;
        nodes.add(new Topology.Node("n" + (nodes.size() + 1), "r" + rack, centre.name()));
      }
    }
    return Topology.of(nodes);
  }

  /** The nodes, which all layouts have in common. */
  public Topology topology() {
    return topology;
  }

  /**
   * Refuses clusters that there cannot be.
   *
   * @param layouts as below
   * @throws org.calando.core.BadRequestException saying why
   */
  public void requirePossible(List<Optional<WarmShare>> layouts) {
    layouts.stream().distinct().forEach(layout -> config(layout, 0));
  }

  /** A store on such a cluster at rest, to look at. */
  public SimStore sample() {
    return store(start(new Simulation(), Optional.empty(), 0));
  }

  /** What a cluster is as a store. */
  public SimStore store(SimCluster cluster) {
    return new SimStore(cluster, sim.model().deferral().costShare(), cpuShare());
  }

  /**
   * A cluster's description.
   *
   * @param layout in place of the cluster's own, if there is one
   * @param seed of all that is random in it
   * @throws org.calando.core.BadRequestException if there cannot be such a cluster
   */
  public ClusterConfig config(Optional<WarmShare> layout, long seed) {
    SimModel model = sim.model();
    ClusterConfig.Builder builder =
        ClusterConfig.builder(topology, placements.computeIfAbsent(layout, this::placement))
            .links(links(model))
            .services(model.services())
            .coordinators(model.coordinators())
            .replicas(model.replicas())
            .asksAll(model.readAll())
            .digests(model.digests())
            .readRepair(model.readRepair())
            .backgroundRepair(model.backgroundRepair())
            .absences(model.absences().onCores(machinery.cpuShare()))
            .timeoutNanos(
                Math.min(requestTimeoutNanos, model.readTimeoutNanos()),
                Math.min(requestTimeoutNanos, model.writeTimeoutNanos()))
            .detectionNanos(model.detectionNanos())
            .mostKeys(MAX_KEYS)
            .seed(seed);
    machinery.describe(builder, profile);
    clients.ifPresent(builder::clients);
    model.writeLag().ifPresent(builder::lag);
    model.masters().ifPresent(builder::masterReplica);
    model.deferral().buffer().ifPresent(builder::writeBuffer);
    return builder.build();
  }

  /**
   * A cluster whose links are delayed, whose cores are clocked and whose nodes are on as the
   * study's file says.
   *
   * @param layout in place of the cluster's own, if there is one
   * @param seed of all that is random in it
   * @throws org.calando.core.BadRequestException if there cannot be such a cluster
   */
  public SimCluster start(Simulation simulation, Optional<WarmShare> layout, long seed) {
    SimCluster cluster = new SimCluster(simulation, config(layout, seed));
    cluster.delayLinks(delays(sim.linkDelay()));
    SimMachines machines = sim.machines();
    for (int node = 0; node < topology.size(); node++) {
      String name = topology.nodes().get(node).name();
      if (machines.clocks().isPresent() && !managed) {
        cluster.clock(node, machines.clocks().get().of(name));
      }
      if (machines.off().contains(name)) {
        cluster.beginOff(node);
      }
    }
    return cluster;
  }

  /** CPU time of nodes for a time that their cores are busy, 0 .. 1: less than 1 if calibrated. */
  public double cpuShare() {
    return machinery.cpuShare();
  }

  /**
   * CPU time of clients, in seconds.
   *
   * @param busySeconds that their work took cores in a window; counts if they have such work
   * @param operations that they began in it
   * @param seconds its length
   * @return NaN if nothing says what clients cost
   */
  public double clientSeconds(double busySeconds, long operations, double seconds) {
    if (sim.machines().clientWork().isPresent()) {
      return busySeconds;
    }
    return machinery
        .calibrated()
        .map(model -> model.clientSeconds(operations, seconds))
        .orElse(Double.NaN);
  }

  /** A delay of the study's file for each link. */
  public static LinkDelays delays(LinkDelay delay) {
    return delay.isNone() ? LinkDelays.NONE : delay::nanos;
  }

  private Placement placement(Optional<WarmShare> layout) {
    if (sim.model().hasGroups()) {
      int replicas = sim.replicas().values().stream().mapToInt(Integer::intValue).sum();
      return new ReplicaGroups(topology.size(), replicas);
    }
    return TokenRing.networkTopology(SimTokens.of(sim, layout), topology, sim.replicas());
  }

  private static Links links(SimModel model) {
    return Links.builder()
        .client(model.clientLatency())
        .withinRack(model.latency())
        .betweenRacks(model.betweenRacks())
        .betweenDataCentres(model.betweenDataCentres())
        .build();
  }
}
