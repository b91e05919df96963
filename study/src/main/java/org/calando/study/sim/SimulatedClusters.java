package org.calando.study.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.calando.core.energy.NodeProfile;
import org.calando.core.layout.WarmShare;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.LinkDelays;
import org.calando.sim.cluster.Links;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.Topology;
import org.calando.sim.kernel.Simulation;
import org.calando.study.config.LinkDelay;
import org.calando.study.config.SimModel;
import org.calando.study.config.SimSpec;
import org.calando.study.config.StoreSpec;

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
  private final Map<Optional<WarmShare>, TokenRing> rings = new ConcurrentHashMap<>();

  /**
   * The clusters of a study.
   *
   * @param store which is simulated
   * @param profile cores and power of each node
   */
  public SimulatedClusters(StoreSpec store, NodeProfile profile) {
    this.sim = store.sim().orElseThrow();
    this.profile = profile;
    this.clients = sim.dataCentres().size() > 1 ? store.localDatacenter() : Optional.empty();
    this.requestTimeoutNanos = store.requestTimeoutNanos();
    this.topology = topology(sim);
  }

  private static Topology topology(SimSpec sim) {
    List<Topology.Node> nodes = new ArrayList<>(sim.nodes());
    for (SimSpec.DataCentre centre : sim.dataCentres()) {
      for (int i = 0; i < centre.nodes(); i++) {
        String rack = "r" + (i % sim.racks() + 1);
        nodes.add(new Topology.Node("n" + (nodes.size() + 1), rack, centre.name()));
      }
    }
    return Topology.of(nodes);
  }

  /** The nodes, which all layouts have in common. */
  public Topology topology() {
    return topology;
  }

  /** Cores and power of each node. */
  public NodeProfile profile() {
    return profile;
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
        ClusterConfig.builder(topology, rings.computeIfAbsent(layout, this::ring))
            .links(links(model))
            .services(model.services())
            .profile(profile)
            .coordinators(model.coordinators())
            .replicas(model.replicas())
            .asksAll(model.readAll())
            .digests(model.digests())
            .readRepair(model.readRepair())
            .backgroundRepair(model.backgroundRepair())
            .hints(model.hints())
            .mostHints(model.mostHints())
            .hintGapNanos(model.hintGapNanos())
            .timeoutNanos(
                Math.min(requestTimeoutNanos, model.readTimeoutNanos()),
                Math.min(requestTimeoutNanos, model.writeTimeoutNanos()))
            .detectionNanos(model.detectionNanos())
            .mostKeys(MAX_KEYS)
            .seed(seed);
    clients.ifPresent(builder::clients);
    model.writeLag().ifPresent(builder::lag);
    return builder.build();
  }

  /**
   * A cluster whose links are delayed as the study's file says.
   *
   * @param layout in place of the cluster's own, if there is one
   * @param seed of all that is random in it
   * @throws org.calando.core.BadRequestException if there cannot be such a cluster
   */
  public SimCluster start(Simulation simulation, Optional<WarmShare> layout, long seed) {
    SimCluster cluster = new SimCluster(simulation, config(layout, seed));
    cluster.delayLinks(delays(sim.linkDelay()));
    return cluster;
  }

  /** A delay of the study's file for each link. */
  public static LinkDelays delays(LinkDelay delay) {
    return delay.isNone() ? LinkDelays.NONE : delay::nanos;
  }

  private TokenRing ring(Optional<WarmShare> layout) {
    return TokenRing.networkTopology(SimTokens.of(sim, layout), topology, sim.replicas());
  }

  private static Links links(SimModel model) {
    return Links.builder()
        .client(model.latency())
        .withinRack(model.latency())
        .betweenRacks(model.betweenRacks())
        .betweenDataCentres(model.betweenDataCentres())
        .build();
  }
}
