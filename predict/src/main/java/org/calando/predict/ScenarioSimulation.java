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
import org.calando.sim.cluster.Background;
import org.calando.sim.cluster.Clients;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.CoordinatorChoice;
import org.calando.sim.cluster.Host;
import org.calando.sim.cluster.Links;
import org.calando.sim.cluster.ReplicaChoice;
import org.calando.sim.cluster.ServiceTimes;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.Topology;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.Simulation;

/*
 * How parameters become a simulated cluster.
 *
 * Capacity c: nodes get c of their machine's cores, the rest goes to others: the load generator where it shares the machine,
 * the relay of link delays, the kernel. All their work takes 1/c of its CPU time to be done, and of the time that cores are
 * busy c is counted as CPU time. The load generator waits for no core: its work is short, and schedulers let what sleeps
 * much go first. What it costs is in its link's latency.
 *
 * What waits for cores is taken in random order: a scheduler has the threads of several stages of several nodes to choose
 * from. So a write may reach a replica late where much waits, which is what makes reads stale in a closed loop.
 *
 * Engines look for work for a while before their threads sleep (Cassandra's stages do). A node that had work of an
 * operation within the last `linger` takes `spinning` cores in bursts, which wait for cores as operations do; the more
 * jobs wait, the rarer they are, by exp(-jobs / depth): who finds work looks for none. So a node that has little to do
 * uses much CPU time an operation, and one that is overloaded little.
 */
/** Simulates a scenario with given parameters. Stateless and thread safe. */
final class ScenarioSimulation {
  private static final double SHAPE = 4;
  private static final long SECOND = 1_000_000_000L;
  private static final long LONGEST_NANOS = 600 * SECOND;
  private static final int MOST_IN_FLIGHT = 1000;
  private static final int ROOM = 4;
  private static final String MACHINE = "machine";

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
    advance(simulation, clients, operations / 10);
    long startNanos = simulation.nowNanos();
    long[] before = busy(cluster, scenario, startNanos);
    clients.reset();
    advance(simulation, clients, operations);
    long endNanos = simulation.nowNanos();
    long[] after = busy(cluster, scenario, endNanos);
    double seconds = (endNanos - startNanos) / 1e9;
    double[] cores = new double[after.length];
    for (int i = 0; i < cores.length; i++) {
      cores[i] = (after[i] - before[i]) / 1e9 / seconds * parameters.get(Parameter.CAPACITY);
    }
    return figures(scenario, parameters, clients, cores, seconds);
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
      Scenario scenario, Parameters parameters, Clients clients, double[] cores, double seconds) {
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
        nodeCores);
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
    double slowness = 1 / parameters.get(Parameter.CAPACITY);
    ClusterConfig.Builder builder =
        ClusterConfig.builder(topology, ring(shape, topology))
            .links(links(shape, topology, parameters))
            .services(services(parameters, slowness))
            .profile(machine(shape.cores()))
            .background(background(parameters, slowness))
            .coordinators(CoordinatorChoice.TOKEN_AWARE)
            .replicas(ReplicaChoice.NEAREST)
            .mostKeys(keys(scenario))
            .most(1 << 16, 1 << 20)
            .seed(seed);
    List<String> names = topology.nodes().stream().map(Topology.Node::name).toList();
    return builder.hosts(machines(shape, names)).build();
  }

  private static List<Host> machines(ClusterShape shape, List<String> names) {
    return shape.sharedMachine()
        ? List.of(new Host(MACHINE, shape.cores(), names, true))
        : names.stream().map(n -> new Host(n, shape.cores(), List.of(n), true)).toList();
  }

  private static long keys(Scenario scenario) {
    return Math.max(
        1 << 10, 2 * (scenario.workload().records() + scenario.workload().expectedNewKeys()));
  }

  /** Cores only: watts are worked out from what the nodes used. */
  private static NodeProfile machine(int cores) {
    return new NodeProfile(MACHINE, 0, 0, 1, cores, 1, PowerCurve.linear(), 0, 0, "none");
  }

  private static Distribution work(double nanos) {
    return Distribution.gamma(nanos, SHAPE);
  }

  private static ServiceTimes services(Parameters parameters, double slowness) {
    Distribution read = work(parameters.nanos(Parameter.READ) * slowness);
    return new ServiceTimes(
        Distribution.NONE,
        work(parameters.nanos(Parameter.COORDINATOR) * slowness),
        work(parameters.nanos(Parameter.MESSAGE) * slowness),
        work(parameters.nanos(Parameter.REPLY) * slowness),
        read,
        read,
        work(parameters.nanos(Parameter.WRITE) * slowness),
        Distribution.NONE,
        Distribution.NONE,
        0,
        1);
  }

  private static Background background(Parameters parameters, double slowness) {
    return new Background(
        parameters.get(Parameter.SPINNING) * slowness,
        Distribution.exponential(parameters.nanos(Parameter.BURST) * slowness),
        Math.max(1, Math.round(parameters.nanos(Parameter.LINGER))),
        parameters.get(Parameter.DEPTH));
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

  private static Links links(ClusterShape shape, Topology topology, Parameters parameters) {
    double beyond = parameters.nanos(Parameter.NODE_LINK);
    Links.Builder links =
        Links.builder()
            .client(work(parameters.nanos(Parameter.CLIENT_LINK)))
            .withinRack(delayed(shape.delayNanos(), beyond))
            .betweenRacks(delayed(shape.delayNanos(), beyond));
    if (shape.delayNanos().size() > 1) {
      for (int from = 0; from < shape.nodes(); from++) {
        for (int to = 0; to < from; to++) {
          // ClusterShapes with a matrix have a rack for each node.
          links.pair(
              rack(topology, from),
              rack(topology, to),
              work(beyond).plus((double) shape.delayNanos(from, to)));
        }
      }
    }
    return links.build();
  }

  private static Distribution delayed(List<List<Long>> delays, double beyond) {
    double delay = delays.size() == 1 ? delays.get(0).get(0) : 0;
    return work(beyond).plus(delay);
  }

  private static String rack(Topology topology, int node) {
    Topology.Node at = topology.nodes().get(node);
    return at.dataCentre() + ":" + at.rack();
  }
}
