package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.calando.core.store.ConsistencyLevel.ONE;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.workload.Mix;
import org.calando.core.workload.Workload;
import org.calando.sim.away.Stalls;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.Simulation;
import org.calando.sim.stage.NodeStages;
import org.junit.jupiter.api.Test;

/** Nodes that stand still now and then. */
class StallsTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1000 * MILLI;
  private static final double LENGTH = 20 * MILLI;

  private static final NodeProfile ONE_CORE =
      new NodeProfile("one core", 0, 1, 2, 1, 1, PowerCurve.linear(), 0, 0, "test");

  private final List<Long> took = new ArrayList<>();
  private long busyNanos;

  /** Reads of 1 ms at one node, 100 a second or in closed loops, for 400 s. */
  private Clients run(Stalls stalls, boolean staged, int threads) {
    Simulation simulation = new Simulation();
    ClusterConfig.Builder config =
        ClusterConfig.builder(Topology.racks(1, 1), TokenRing.even(1, 1))
            .links(Links.builder().build())
            .services(reads())
            .profile(ONE_CORE)
            .background(Background.NONE.with(stalls))
            .seed(SEED);
    if (staged) {
      config.stages(new NodeStages(8, 1, 8, 8, 1, Distribution.NONE));
    }
    SimCluster cluster = new SimCluster(simulation, config.build());
    Workload workload = Workload.builder().records(10).mix(Mix.readUpdate(1, 0)).build();
    Clients clients =
        threads == 0
            ? Clients.open(cluster, workload, ONE, ONE, 100, 1000, SEED)
            : Clients.closed(cluster, workload, ONE, ONE, threads, Distribution.NONE, SEED);
    took.clear();
    clients.watch(took::add, nanos -> {});
    simulation.runUntil(400 * SECOND);
    busyNanos = cluster.energy().busyNanos(0, simulation.nowNanos());
    return clients;
  }

  private static ServiceTimes reads() {
    Distribution none = Distribution.NONE;
    Distribution read = Distribution.constant(MILLI);
    return new ServiceTimes(none, none, none, none, read, read, none, none, none, 0, 1);
  }

  private double meanNanos() {
    return took.stream().mapToLong(nanos -> nanos).average().orElseThrow();
  }

  /** Of 100 reads a second a tenth of the time is busy: one stall of 20 ms each second. */
  @Test
  void whoeverComesMeanwhileWaits() {
    Stalls stalls = new Stalls(10, Distribution.constant(LENGTH));
    for (boolean staged : new boolean[] {false, true}) {
      run(Stalls.NONE, staged, 0);
      double without = meanNanos();
      long usual = busyNanos;
      run(stalls, staged, 0);
      String seed = "seed " + SEED + ", " + staged;
      // It stands still for 2 % of the time, and who comes then waits for half of it, and for those
      // who came before, of which there is one.
      assertThat(meanNanos() - without)
          .as(seed)
          .isCloseTo(0.02 * (LENGTH / 2 + MILLI), within(0.02 * LENGTH / 4));
      long late = took.stream().filter(nanos -> nanos > 6 * MILLI).count();
      assertThat(late / (double) took.size()).as(seed).isBetween(0.011, 0.021);
      // Standing still is no work.
      assertThat(busyNanos).as(seed).isCloseTo(usual, within(usual / 100));
    }
  }

  /** So a closed loop at more load has a lower 99th percentile than an open one: it sees few. */
  @Test
  void aClosedLoopWaitsOnceForEach() {
    Stalls stalls = new Stalls(1, Distribution.constant(LENGTH));
    for (boolean staged : new boolean[] {false, true}) {
      Clients clients = run(stalls, staged, 1);
      long late = took.stream().filter(nanos -> nanos > 5 * MILLI).count();
      assertThat(late / (busyNanos / 1e9)).as("seed " + SEED).isCloseTo(1, within(0.15));
      assertThat(clients.reads()).isEqualTo(took.size());
    }
  }

  @Test
  void aNodeThatFailsMeanwhileLosesWhatItHad() {
    Simulation simulation = new Simulation();
    SimCluster cluster =
        new SimCluster(
            simulation,
            ClusterConfig.builder(Topology.racks(1, 1), TokenRing.even(1, 1))
                .links(Links.builder().build())
                .services(reads())
                .stages(new NodeStages(8, 1, 8, 8, 1, Distribution.NONE))
                .background(Background.NONE.with(new Stalls(50, Distribution.constant(SECOND / 2))))
                .seed(SEED)
                .build());
    Workload workload = Workload.builder().records(10).mix(Mix.readUpdate(1, 0)).build();
    Clients clients = Clients.open(cluster, workload, ONE, ONE, 100, 1000, SEED);
    for (int round = 1; round <= 40; round++) {
      simulation.runUntil(round * SECOND);
      cluster.fail(0);
      simulation.runUntil(round * SECOND + SECOND / 8);
      cluster.recover(0);
    }
    clients.stop();
    simulation.runUntil(100 * SECOND);
    assertThat(clients.reads()).as("seed %d", SEED).isPositive();
    assertThat(cluster.counts().underWay()).as("seed %d", SEED).isZero();
  }

  @Test
  void whatCannotBeIsRefused() {
    for (Stalls stalls :
        List.of(
            new Stalls(-1, Distribution.constant(1)),
            new Stalls(1000, Distribution.constant(1)),
            new Stalls(1, Distribution.NONE))) {
      assertThatThrownBy(
              () ->
                  ClusterConfig.builder(Topology.racks(1, 1), TokenRing.even(1, 1))
                      .background(Background.NONE.with(stalls))
                      .build())
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("stalls");
    }
  }
}
