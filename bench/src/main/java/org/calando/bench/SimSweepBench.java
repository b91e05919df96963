package org.calando.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

/**
 * A sweep of simulated runs of 39 nodes on one thread and on two, by turns: elapsed times and their
 * ratio, which says something on a machine that does nothing else only; and the CPU times of the
 * runs, by which two threads are 2 times as fast but for what they cost each other. Fails if any
 * run's result depends on the threads.
 *
 * <p>{@code SimSweepBench [ROUNDS [RUNS]]}: default 5 rounds of 16 runs.
 */
public final class SimSweepBench {
  private static final long SECONDS = 4;
  private static final int RECORDS = 100_000;

  private SimSweepBench() {}

  /** Seconds that a sweep took, and CPU seconds of all its runs together. */
  private record Took(double seconds, double cpuSeconds) {}

  /** What a run came to, and the CPU time of its thread. */
  private record Run(String result, long cpuNanos) {}

  /** Measures and prints; exit code 1 if results differ. */
  public static void main(String[] arguments) throws InterruptedException, ExecutionException {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
    int runs = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 16;
    double[] ratios = new double[rounds];
    double[] cpuRatios = new double[rounds];
    List<String> expected = new ArrayList<>();
    sweep(2, runs, expected);
    for (int round = 0; round < rounds; round++) {
      boolean twoFirst = round % 2 == 1;
      Took first = sweep(twoFirst ? 2 : 1, runs, expected);
      Took second = sweep(twoFirst ? 1 : 2, runs, expected);
      Took one = twoFirst ? second : first;
      Took two = twoFirst ? first : second;
      ratios[round] = one.seconds() / two.seconds();
      cpuRatios[round] = 2 * one.cpuSeconds() / two.cpuSeconds();
      System.out.printf(
          Locale.ROOT,
          "%d runs: %.2f s on one thread, %.2f s on two; CPU %.2f s and %.2f s%n",
          runs,
          one.seconds(),
          two.seconds(),
          one.cpuSeconds(),
          two.cpuSeconds());
    }
    print("elapsed", ratios);
    print("by CPU time", cpuRatios);
  }

  private static void print(String what, double[] ratios) {
    Arrays.sort(ratios);
    System.out.printf(
        Locale.ROOT,
        "two threads, %s: %.2f times as fast [%.2f, %.2f]%n",
        what,
        ratios[ratios.length / 2],
        ratios[0],
        ratios[ratios.length - 1]);
  }

  private static Took sweep(int threads, int runs, List<String> expected)
      throws InterruptedException, ExecutionException {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    List<Callable<Run>> tasks = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      long seed = run;
      tasks.add(() -> run(seed));
    }
    long begin = System.nanoTime();
    List<String> results = new ArrayList<>();
    long cpuNanos = 0;
    try {
      for (Future<Run> future : executor.invokeAll(tasks)) {
        results.add(future.get().result());
        cpuNanos += future.get().cpuNanos();
      }
    } finally {
      // Its threads would keep a benchmark that fails from ending.
      executor.shutdownNow();
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    if (expected.isEmpty()) {
      expected.addAll(results);
    } else if (!expected.equals(results)) {
      throw new IllegalStateException("results depend on the threads");
    }
    return new Took(seconds, cpuNanos / 1e9);
  }

  private static Run run(long seed) {
    long cpuBegin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    Simulation simulation = new Simulation();
    SimCluster cluster =
        new SimCluster(
            simulation,
            ClusterConfig.builder(Topology.racks(39, 1), TokenRing.even(39, 5))
                .mostKeys(RECORDS)
                .seed(seed)
                .build());
    Workload workload =
        Workload.builder()
            .records(RECORDS)
            .mix(Mix.readUpdate(0.5, 0.5))
            .requests(new RequestDistribution.Uniform())
            .build();
    Clients clients =
        Clients.closed(
            cluster,
            workload,
            ConsistencyLevel.ONE,
            ConsistencyLevel.ONE,
            100,
            Distribution.NONE,
            seed);
    simulation.runUntil(SECONDS * 1_000_000_000L);
    String result = cluster.counts() + " " + clients.staleReads() + " " + simulation.events();
    return new Run(
        result, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuBegin);
  }
}
