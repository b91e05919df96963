package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.core.store.ConsistencyLevel.ONE;
import static org.calando.core.store.ConsistencyLevel.QUORUM;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AllocationTest {
  private static final long SECOND = 1_000_000_000L;

  static Stream<String> kinds() {
    return Stream.of("plain", "repair", "hosts", "master", "buffer");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void nothingIsAllocatedOnceArraysHaveGrown(String kind) {
    Simulation simulation = new Simulation();
    SimCluster cluster = new SimCluster(simulation, config(kind).seed(42).build());
    Workload workload =
        Workload.builder()
            .records(1000)
            .mix(Mix.readUpdate(0.5, 0.5))
            .requests(new RequestDistribution.Uniform())
            .build();
    Clients clients =
        Clients.closed(cluster, workload, QUORUM, ONE, 50, Distribution.exponential(1e6), 42);
    simulation.runUntil(2 * SECOND);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long operations = clients.reads() + clients.writes();
    long before = threads.getThreadAllocatedBytes(thread);
    simulation.runUntil(4 * SECOND);
    long allocated = threads.getThreadAllocatedBytes(thread) - before;
    operations = clients.reads() + clients.writes() - operations;
    assertThat(operations).isGreaterThan(2_000);
    // Arrays may still double once or twice; a single object an operation would be 16 bytes each.
    assertThat(allocated).as("bytes of %d operations", operations).isLessThan(operations * 2);
  }

  private static ClusterConfig.Builder config(String kind) {
    ClusterConfig.Builder config =
        ClusterConfig.builder(Topology.racks(5, 1), TokenRing.even(5, 3)).mostKeys(1000);
    Map<String, Runnable> kinds =
        Map.of(
            "plain",
            () -> {},
            "repair",
            () -> config.readRepair(ReadRepair.BLOCKING).backgroundRepair(0.2),
            "hosts",
            () ->
                config
                    .hosts(List.of(new Host("m", 8, List.of("n1", "n2", "n3", "n4", "n5"))))
                    .clientWork(
                        new ClientWork(
                            "m", Distribution.constant(10_000), Distribution.constant(10_000)))
                    .background(new Background(0.05, Distribution.exponential(1e6))),
            "master",
            () ->
                config.masterReplica(
                    new MasterReplica(Distribution.exponential(1e6), MasterReplica.From.ANY)),
            "buffer",
            () -> config.writeBuffer(new WriteBuffer(20, 10_000_000, 0.5)));
    kinds
        .getOrDefault(
            kind,
            () -> {
              throw new AssertionError(kind);
            })
        .run();
    return config;
  }
}
