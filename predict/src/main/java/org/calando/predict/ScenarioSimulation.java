package org.calando.predict;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.layout.Arrangement;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.TokenLayout;
import org.calando.core.workload.Workload;
import org.calando.sim.cluster.Clients;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.CoordinatorChoice;
import org.calando.sim.cluster.Links;
import org.calando.sim.cluster.ReplicaChoice;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.Topology;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.Simulation;
import org.calando.studyfile.profile.CalibratedModel;
import org.calando.studyfile.profile.ClusterShape;
import org.calando.studyfile.profile.Parameter;
import org.calando.studyfile.profile.Parameters;

/** Simulates a scenario with given parameters. Stateless and thread safe. */
final class ScenarioSimulation {
  private static final long SECOND = 1_000_000_000L;
  private static final long LONGEST_NANOS = 600 * SECOND;
  private static final int MOST_IN_FLIGHT = 1000;
  private static final int ROOM = 4;

  private ScenarioSimulation() {}

  /**
   * Simulates a run.
   *
   * @param operations to be measured, after a tenth as many that are not; fewer if they take more
   *     than ten minutes of simulated time
   */
  static Figures run(Scenario scenario, Parameters parameters, int operations, long seed) {
    Simulation simulation = new Simulation();
    SimCluster cluster = new SimCluster(simulation, config(scenario, parameters, seed));
    Clients clients = clients(scenario, cluster, operations, seed);
    Times reads = new Times();
    Times writes = new Times();
    Times lags = new Times();
    if (parameters.stages().isPresent()) {
      clients.watch(reads::add, writes::add);
      cluster.watchSpread(lags::add);
    }
    advance(simulation, clients, operations / 10);
    long startNanos = simulation.nowNanos();
    long[] before = busy(cluster, scenario, startNanos);
    clients.reset();
    reads.clear();
    writes.clear();
    lags.clear();
    advance(simulation, clients, operations);
    long endNanos = simulation.nowNanos();
    long[] after = busy(cluster, scenario, endNanos);
    double seconds = (endNanos - startNanos) / 1e9;
    double[] cores = new double[after.length];
    for (int i = 0; i < cores.length; i++) {
      cores[i] = (after[i] - before[i]) / 1e9 / seconds * parameters.get(Parameter.CAPACITY);
    }
    Figures.Tails tails = new Figures.Tails(reads.p99(), writes.p99(), lags.mean(), lags.p99());
    return figures(scenario, parameters, clients, cores, seconds, tails);
  }

  private static void advance(Simulation simulation, Clients clients, int operations) {
    long target = clients.reads() + clients.writes() + clients.errors() + operations;
    long endNanos = simulation.nowNanos() + LONGEST_NANOS;
    simulation.runWhile(
        () ->
            clients.reads() + clients.writes() + clients.errors() < target
                && simulation.nowNanos() < endNanos);
  }

  private static Figures figures(
      Scenario scenario,
      Parameters parameters,
      Clients clients,
      double[] cores,
      double seconds,
      Figures.Tails tails) {
    int nodes = scenario.cluster().nodes();
    double throughput = (clients.reads() + clients.writes()) / seconds;
    List<Double> nodeCores = new ArrayList<>();
    double sum = 0;
    for (int node = 0; node < nodes; node++) {
      nodeCores.add(cores[node]);
      sum += cores[node];
    }
    return new Figures(
        throughput,
        sum / throughput * 1e3,
        parameters.get(Parameter.CLIENT)
            + parameters.get(Parameter.CLIENT_BACKGROUND) / throughput * 1e3,
        clients.meanReadNanos() / 1e6,
        clients.meanWriteNanos() / 1e6,
        clients.reads(),
        clients.staleReads(),
        nodeCores,
        tails);
  }

  /** Core time of each node. */
  private static long[] busy(SimCluster cluster, Scenario scenario, long nowNanos) {
    int nodes = scenario.cluster().nodes();
    long[] nanos = new long[nodes];
    for (int node = 0; node < nodes; node++) {
      nanos[node] = cluster.energy().busyNanos(node, nowNanos);
    }
    return nanos;
  }

  private static Clients clients(Scenario scenario, SimCluster cluster, int operations, long seed) {
    // Inserts need room for their keys, also for those of operations that fail.
    Workload workload =
        scenario.workload().toBuilder().operationCount(ROOM * (long) operations).build();
    return scenario.threads().isPresent()
        ? Clients.closed(
            cluster,
            workload,
            scenario.read(),
            scenario.write(),
            scenario.threads().getAsInt(),
            Distribution.NONE,
            seed)
        : Clients.open(
            cluster,
            workload,
            scenario.read(),
            scenario.write(),
            scenario.perSecond(),
            MOST_IN_FLIGHT,
            seed);
  }

  private static ClusterConfig config(Scenario scenario, Parameters parameters, long seed) {
    ClusterShape shape = scenario.cluster();
    Topology topology = Topology.racks(shape.nodes(), shape.racks());
    CalibratedModel model = new CalibratedModel(parameters);
    ClusterConfig.Builder builder =
        ClusterConfig.builder(topology, ring(shape, topology))
            .links(links(shape, topology, model))
            .services(model.services())
            .profile(machine(shape.cores()))
            .background(model.background())
            .coordinators(CoordinatorChoice.TOKEN_AWARE)
            .replicas(ReplicaChoice.NEAREST)
            .mostKeys(keys(scenario))
            .most(1 << 16, 1 << 20)
            .seed(seed);
    model.stages().ifPresent(builder::stages);
    List<String> names = topology.nodes().stream().map(Topology.Node::name).toList();
    return builder
        .hosts(CalibratedModel.machines(shape.cores(), shape.sharedMachine(), names))
        .build();
  }

  private static long keys(Scenario scenario) {
    return Math.max(
        1 << 10, 2 * (scenario.workload().records() + scenario.workload().expectedNewKeys()));
  }

  /** Cores only: watts are worked out from what the nodes used. */
  private static NodeProfile machine(int cores) {
    return new NodeProfile("machine", 0, 0, 1, cores, 1, PowerCurve.linear(), 0, 0, "none");
  }

  private static TokenRing ring(ClusterShape shape, Topology topology) {
    long[][] tokens =
        shape
            .layout()
            .map(share -> tokens(TokenLayout.of(shape.nodes(), share, Arrangement.CONTIGUOUS)))
            .orElseGet(() -> TokenRing.evenTokens(shape.nodes()));
    return TokenRing.networkTopology(tokens, topology, Map.of("dc1", shape.replicationFactor()));
  }

  private static long[][] tokens(TokenLayout layout) {
    long[][] tokens = new long[layout.nodes()][1];
    for (int node = 0; node < tokens.length; node++) {
      tokens[node][0] = layout.token(node + 1, Partitioner.MURMUR3).longValueExact();
    }
    return tokens;
  }

  private static Links links(ClusterShape shape, Topology topology, CalibratedModel model) {
    Distribution between = delayed(shape.delayNanos(), model.nodeLink());
    Links.Builder links =
        Links.builder().client(model.clientLink()).withinRack(between).betweenRacks(between);
    if (shape.delayNanos().size() > 1) {
      for (int from = 0; from < shape.nodes(); from++) {
        for (int to = 0; to < from; to++) {
          // ClusterShapes with a matrix have a rack for each node.
          links.pair(
              rack(topology, from),
              rack(topology, to),
              model.nodeLink().plus((double) shape.delayNanos(from, to)));
        }
      }
    }
    return links.build();
  }

  private static Distribution delayed(List<List<Long>> delays, Distribution beyond) {
    return beyond.plus(delays.size() == 1 ? (double) delays.get(0).get(0) : 0);
  }

  private static String rack(Topology topology, int node) {
    Topology.Node at = topology.nodes().get(node);
    return at.dataCentre() + ":" + at.rack();
  }
}
