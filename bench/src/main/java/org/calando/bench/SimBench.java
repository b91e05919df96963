package org.calando.bench;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.sim.cluster.Clients;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.Topology;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.Simulation;
import org.calando.sim.stage.NodeStages;

/**
 * Events a second of CPU time of the simulated cluster, and what an operation costs with 39 and
 * with 1000 nodes at the same load of each node; and with 39 whose nodes have stages. Prints a line
 * a cluster and round, the best round of each, and the ratio of their costs.
 *
 * <p>{@code SimBench [ROUNDS [SECONDS]]}: default 5 rounds of 2 s each, by turns.
 */
public final class SimBench {
  private static final int SMALL = 39;
  private static final int LARGE = 1000;
  private static final int RECORDS = 1_000_000;
  private static final int STEP = 1 << 16;

  private final int nodes;
  private final Simulation simulation = new Simulation();
  private final SimCluster cluster;
  private double bestEvents;
  private double bestNanosOfOperation = Double.POSITIVE_INFINITY;

  private SimBench(int nodes, ConsistencyLevel level, boolean staged) {
    this.nodes = nodes;
    ClusterConfig.Builder config =
        ClusterConfig.builder(Topology.racks(nodes, 1), TokenRing.even(nodes, 5))
            .mostKeys(RECORDS)
            .seed(42);
    if (staged) {
      config.stages(new NodeStages(128, 4, 32, 32, 4, Distribution.lognormal(50_000, 1.5)));
    }
    cluster = new SimCluster(simulation, config.build());
    Workload workload =
        Workload.builder()
            .records(RECORDS)
            .mix(Mix.readUpdate(0.5, 0.5))
            .requests(new RequestDistribution.Uniform())
            .build();
    int threads = (int) Math.round(100.0 * nodes / SMALL);
    var unused = Clients.closed(cluster, workload, level, level, threads, Distribution.NONE, 42);
  }

  /** Measures and prints. */
  public static void main(String[] arguments) {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
    double seconds = arguments.length > 1 ? Double.parseDouble(arguments[1]) : 2;
    for (ConsistencyLevel level :
        new ConsistencyLevel[] {ConsistencyLevel.ONE, ConsistencyLevel.QUORUM}) {
      SimBench small = new SimBench(SMALL, level, false);
      SimBench large = new SimBench(LARGE, level, false);
      SimBench stages = new SimBench(SMALL, level, true);
      for (int round = 0; round <= rounds; round++) {
        // The first round warms up.
        small.run(seconds, level, round > 0);
        large.run(seconds, level, round > 0);
        stages.run(seconds, level, round > 0);
      }
      System.out.printf(
          Locale.ROOT,
          "%s best: %.2f million events/s at %d nodes; %.0f and %.0f ns an operation, ratio %.2f%n",
          level,
          small.bestEvents / 1e6,
          SMALL,
          small.bestNanosOfOperation,
          large.bestNanosOfOperation,
          large.bestNanosOfOperation / small.bestNanosOfOperation);
      System.out.printf(
          Locale.ROOT,
          "%s best with stages: %.2f million events/s at %d nodes; %.0f ns an operation%n",
          level,
          stages.bestEvents / 1e6,
          SMALL,
          stages.bestNanosOfOperation);
    }
  }

  /** Time of this thread on a core, since others may have it at times. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private void run(double seconds, ConsistencyLevel level, boolean counts) {
    long eventsBefore = simulation.events();
    long okBefore = cluster.counts().ok();
    long begin = cpuNanos();
    long took;
    do {
      for (int i = 0; i < STEP; i++) {
        simulation.step();
      }
      took = cpuNanos() - begin;
    } while (took < seconds * 1e9);
    double events = (simulation.events() - eventsBefore) * 1e9 / took;
    double nanos = (double) took / (cluster.counts().ok() - okBefore);
    System.out.printf(
        Locale.ROOT,
        "%s %d nodes: %.2f million events/s, %.0f ns an operation%s%n",
        level,
        nodes,
        events / 1e6,
        nanos,
        counts ? "" : " (warm-up)");
    if (counts) {
      bestEvents = Math.max(bestEvents, events);
      bestNanosOfOperation = Math.min(bestNanosOfOperation, nanos);
    }
  }
}
