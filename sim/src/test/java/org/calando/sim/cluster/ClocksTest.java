package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.calando.core.store.ConsistencyLevel.ONE;

import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PStates;
import org.calando.core.energy.PowerCurve;
import org.calando.sim.kernel.Batches;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.api.Test;

class ClocksTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final double SERVICE = 100_000;
  private static final NodeProfile PROFILE =
      new NodeProfile("one-core", 2, 20, 50, 1, 1, PowerCurve.linear(), 30, 40, "made up");

  private final Simulation simulation = new Simulation();

  @Test
  void relativePowersAreThoseOfTheVoltageSquaredTimesTheFrequency() {
    PStates states = PStates.xeonSilver4114();
    double[] expected = {1, 0.844, 0.704, 0.577, 0.465, 0.365, 0.278};
    for (int i = 0; i < expected.length; i++) {
      assertThat(states.relativePower(states.states().get(i).ghz()))
          .isCloseTo(expected[i], within(5e-4));
    }
  }

  @Test
  void aSlowerClockMakesTheQueueThatOfTheoryForLongerService() {
    // M/M/1: at half the clock a load of 0.35 is one of 0.7.
    SimCluster cluster = cluster(new Clocks(halves(), 0, 0));
    cluster.clock(0, 1);
    Batches times = new Batches(5_000);
    reads(cluster, SERVICE / 0.35, times);
    simulation.runWhile(() -> !times.isFull());
    times.assertMeanIs(2 * SERVICE / (1 - 0.7), 0.12, "M/M/1 at half the clock");
  }

  @Test
  void powerFollowsTheClockAndTheIdleActivity() {
    for (double idleActivity : new double[] {0, 0.25}) {
      Simulation own = new Simulation();
      SimCluster cluster =
          new SimCluster(own, config(new Clocks(halves(), idleActivity, 0)).build());
      Batches times = new Batches(1_000);
      reads(cluster, SERVICE / 0.3, times);
      own.runWhile(() -> !times.isFull());
      long first = own.nowNanos();
      double fast = cluster.energy().joules(0, first);
      long busyFast = cluster.energy().busyNanos(0, first);
      cluster.clock(0, 1);
      own.runUntil(2 * first);
      double slow = cluster.energy().joules(0, 2 * first) - fast;
      long busySlow = cluster.energy().busyNanos(0, 2 * first) - busyFast;
      // r = 0.8^2 / 2 at half the clock.
      double dynamic = (50 - 20) / (1 - idleActivity);
      double idle = 50 - dynamic;
      double expectedFast = 20 * (first / 1e9) + 30 * (busyFast / 1e9);
      double expectedSlow =
          idle * (first / 1e9)
              + dynamic * 0.32 * (busySlow / 1e9 + idleActivity * ((first - busySlow) / 1e9));
      assertThat(fast).isCloseTo(expectedFast, within(1e-9 * expectedFast));
      assertThat(slow).isCloseTo(expectedSlow, within(1e-9 * expectedSlow));
      assertThat((double) busySlow / busyFast).isBetween(1.8, 2.2);
    }
  }

  @Test
  void workOnACoreEndsAtTheClockThatItStartedAt() {
    ServiceTimes constant = services(Distribution.constant(SERVICE));
    SimCluster cluster =
        new SimCluster(simulation, config(new Clocks(halves(), 0, 0), constant).build());
    long[] ended = new long[2];
    int requester = cluster.register((tag, outcome, version) -> ended[tag] = simulation.nowNanos());
    cluster.read(requester, 0, 1, ONE);
    cluster.read(requester, 1, 1, ONE);
    simulation.runUntil(50_000);
    cluster.clock(0, 1);
    simulation.runUntil(1_000_000);
    assertThat(ended).containsExactly(100_000, 300_000);
  }

  @Test
  void workThatWaitsForMemoryTakesNoLongerAtASlowerClock() {
    ServiceTimes constant = services(Distribution.constant(SERVICE));
    SimCluster cluster =
        new SimCluster(simulation, config(new Clocks(halves(), 0, 0.25), constant).build());
    long[] ended = new long[1];
    int requester = cluster.register((tag, outcome, version) -> ended[tag] = simulation.nowNanos());
    cluster.clock(0, 1);
    cluster.read(requester, 0, 1, ONE);
    simulation.runUntil(1_000_000);
    assertThat(ended).containsExactly(175_000);
    assertThatThrownBy(() -> new Clocks(halves(), 0, 1.1))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("1.1");
  }

  @Test
  void workOnACoreIsBilledAtTheNewClockFromItsChangeOn() {
    // 100 us of work, and half of it at half the clock: 32 % of 30 W above idle power.
    ServiceTimes constant = services(Distribution.constant(SERVICE));
    SimCluster cluster =
        new SimCluster(simulation, config(new Clocks(halves(), 0, 0), constant).build());
    int requester = cluster.register((tag, outcome, version) -> {});
    cluster.read(requester, 0, 1, ONE);
    simulation.runUntil(50_000);
    cluster.clock(0, 1);
    simulation.runUntil(1_000_000);
    double expected = 20 * 1e-3 + 30 * 50e-6 + 0.32 * 30 * 50e-6;
    assertThat(cluster.energy().joules(0, 1_000_000)).isCloseTo(expected, within(1e-12));
  }

  @Test
  void clocksThatCannotBeAreRefused() {
    SimCluster cluster = cluster(new Clocks(PStates.xeonSilver4114(), 0, 0));
    assertThatThrownBy(() -> cluster.clock(0, 2.1))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("2.1 GHz");
    SimCluster without =
        new SimCluster(
            simulation, ClusterConfig.builder(Topology.racks(1, 1), TokenRing.even(1, 1)).build());
    assertThatThrownBy(() -> without.clock(0, 1)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> new Clocks(halves(), -0.1, 0)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> config(new Clocks(halves(), 0.5, 0)).build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("one-core");
    assertThatThrownBy(
            () ->
                new PStates(
                    List.of(
                        new PStates.State(-1, 1),
                        new PStates.State(2, 1),
                        new PStates.State(3, 1))))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("-1.0 GHz")
        .hasMessageContaining("3.0 GHz");
    assertThatThrownBy(() -> new PStates(List.of())).isInstanceOf(BadRequestException.class);
  }

  private static PStates halves() {
    return new PStates(List.of(new PStates.State(2, 1), new PStates.State(1, 0.8)));
  }

  private SimCluster cluster(Clocks clocks) {
    return new SimCluster(simulation, config(clocks).build());
  }

  private static ClusterConfig.Builder config(Clocks clocks) {
    return config(clocks, services(Distribution.exponential(SERVICE)));
  }

  private static ClusterConfig.Builder config(Clocks clocks, ServiceTimes services) {
    return ClusterConfig.builder(Topology.racks(1, 1), TokenRing.even(1, 1))
        .links(Links.builder().build())
        .services(services)
        .profile(PROFILE)
        .clocks(clocks)
        .seed(SEED);
  }

  private static ServiceTimes services(Distribution read) {
    Distribution none = Distribution.NONE;
    return new ServiceTimes(none, none, none, none, read, none, none, none, none, 0, 1);
  }

  private static void reads(SimCluster cluster, double gapNanos, Batches times) {
    PoissonReads.start(
        cluster,
        Distribution.exponential(gapNanos),
        new RandomStreams(SEED).of("arrivals"),
        times::add);
  }
}
