package org.calando.sim.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.calando.control.ClockedNodes;
import org.calando.core.BadRequestException;
import org.calando.core.energy.CorePower;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PStates;
import org.calando.core.energy.PowerCurve;
import org.calando.core.policy.Decision;
import org.calando.core.policy.clock.ClockLimits;
import org.calando.core.policy.clock.ClockPolicy;
import org.calando.core.policy.clock.ClockState;
import org.calando.core.policy.clock.ConcertoPolicy;
import org.calando.core.policy.clock.FixedClockPolicy;
import org.calando.core.policy.clock.SlackLimits;
import org.calando.core.policy.clock.SlackPolicy;
import org.calando.core.replication.NodeView;
import org.calando.core.store.ConsistencyLevel;
import org.calando.sim.cluster.Clocks;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.Links;
import org.calando.sim.cluster.MasterReplica;
import org.calando.sim.cluster.ReplicaGroups;
import org.calando.sim.cluster.ServiceTimes;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.Topology;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.SimScheduler;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.api.Test;

/** A master and two replicas under writes, with a policy that sets their clocks. */
class SimClocksTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000;
  private static final double WRITE_NANOS = 1e6;
  private static final double WRITE_BYTES = 1000;
  private static final long FASTEST = 2_200_000;
  private static final long SLOWEST = 1_000_000;
  private static final int KEYS = 1000;
  private static final NodeProfile PROFILE =
      new NodeProfile("one-core", 0, 10, 50, 1, 1, PowerCurve.linear(), 1, 20, "made up");
  private static final ClockLimits LIMITS = ClockLimits.defaults();
  private static final ClockPolicy CONCERTO = new ConcertoPolicy(LIMITS);
  private static final ClockedNodes.Settings SETTINGS =
      new ClockedNodes.Settings(WRITE_BYTES, 100 * MILLI, SECOND);

  private final Simulation simulation = new Simulation();
  private final SimScheduler scheduler = new SimScheduler(simulation);
  private final SimCluster cluster = new SimCluster(simulation, config().build());

  private static ClusterConfig.Builder config() {
    Distribution none = Distribution.NONE;
    return ClusterConfig.builder(Topology.racks(3, 1), new ReplicaGroups(3, 3))
        .links(Links.uniform(Distribution.constant(50_000)))
        .services(
            new ServiceTimes(
                none,
                Distribution.exponential(WRITE_NANOS / 4),
                none,
                none,
                Distribution.exponential(WRITE_NANOS),
                none,
                Distribution.exponential(WRITE_NANOS),
                none,
                none,
                0,
                1))
        .profile(PROFILE)
        .clocks(new Clocks(PStates.xeonSilver4114(), 0.1, 0))
        .masterReplica(new MasterReplica(Distribution.constant(0), MasterReplica.From.MASTER))
        .detectionNanos(SECOND)
        .mostKeys(KEYS)
        .seed(SEED);
  }

  private SimClocks clocks(ClockPolicy policy) {
    return new SimClocks(cluster, 1, scheduler, SETTINGS, policy, ClockedNodes.Listener.SILENT);
  }

  /** Writes that arrive at random for good. */
  private void writes(double perSecond) {
    RandomStream random = new RandomStreams(SEED).of("test");
    int requester = cluster.register((tag, outcome, version) -> {});
    writeOn(requester, Distribution.exponential(1e9 / perSecond), random, 1);
  }

  private void writeOn(int requester, Distribution gap, RandomStream random, long version) {
    cluster.write(requester, 0, random.nextInt(KEYS), version, ConsistencyLevel.ONE);
    scheduler.at(
        simulation.nowNanos() + gap.sample(random),
        () -> writeOn(requester, gap, random, version + 1));
  }

  private List<Long> clocksOf(SimClocks clocks) {
    return List.of(clocks.clockOf(0), clocks.clockOf(1), clocks.clockOf(2));
  }

  @Test
  void concertoSlowsReplicasOnly() {
    writes(100);
    SimClocks clocks = clocks(CONCERTO);
    assertThat(clocksOf(clocks)).containsOnly(FASTEST);
    simulation.runUntil(5 * SECOND);
    assertThat(clocksOf(clocks)).containsExactly(FASTEST, SLOWEST, SLOWEST);
  }

  @Test
  void theBaselinesSetAllNodesAlikeAndAtOnce() {
    SimClocks low = clocks(FixedClockPolicy.ALL_LOW);
    assertThat(clocksOf(low)).containsOnly(SLOWEST);
    low.close();
    assertThat(clocksOf(clocks(FixedClockPolicy.ALL_HIGH))).containsOnly(FASTEST);
  }

  @Test
  void atAFailOverTheNewMasterIsFastInTheSameMoment() {
    writes(100);
    SimClocks clocks = clocks(CONCERTO);
    simulation.runUntil(5 * SECOND);
    cluster.fail(0);
    assertThat(clocksOf(clocks)).as("links of both replicas are down").containsOnly(FASTEST);
    simulation.runUntil(20 * SECOND);
    assertThat(cluster.replication().masterOf(0)).isEqualTo(1);
    assertThat(clocksOf(clocks)).containsExactly(FASTEST, FASTEST, SLOWEST);
    cluster.recover(0);
    simulation.runUntil(40 * SECOND);
    assertThat(cluster.replication().masterOf(1)).isEqualTo(0);
    assertThat(clocksOf(clocks)).containsExactly(FASTEST, SLOWEST, SLOWEST);
  }

  @Test
  void noMasterIsSlowAtAnyMomentWhateverFailsAndReturns() {
    Random random = new Random(SEED);
    writes(100);
    SimClocks clocks = clocks(CONCERTO);
    for (int change = 0; change < 30; change++) {
      long until = simulation.nowNanos() + (long) (random.nextDouble() * 8 * SECOND);
      while (simulation.nowNanos() < until && simulation.step()) {
        int master = cluster.replication().masterOf(0);
        if (master >= 0 && clocks.clockOf(master) != FASTEST) {
          throw new AssertionError(
              "node %d is a slow master at %d ns, seed %d"
                  .formatted(master, simulation.nowNanos(), SEED));
        }
      }
      disturb(random);
    }
    assertThat(clocks.totals().changes()).isGreaterThan(5);
  }

  private void disturb(Random random) {
    int node = random.nextInt(3);
    if (!cluster.energy().isOn(node)) {
      cluster.switchOn(node);
    } else if (!cluster.isServing(node)) {
      cluster.recover(node);
    } else if (random.nextBoolean()) {
      cluster.fail(node);
    } else {
      cluster.switchOff(node);
    }
  }

  @Test
  void slackStaysWithinTheBusyShareThatItWasGiven() {
    // Busy for 30 % at 2.2 GHz, 55 % at 1.2, 66 % at 1.0; 60 % may be.
    writes(300);
    SimClocks clocks = clocks(new SlackPolicy(LIMITS, SlackLimits.defaults()));
    simulation.runUntil(20 * SECOND);
    assertThat(clocks.clockOf(0)).isEqualTo(FASTEST);
    assertThat(clocks.clockOf(1)).isBetween(1_200_000L, 1_400_000L);
    long busy = cluster.energy().busyNanos(1, simulation.nowNanos());
    simulation.runUntil(80 * SECOND);
    double share = (cluster.energy().busyNanos(1, simulation.nowNanos()) - busy) / (60.0 * SECOND);
    assertThat(share).as("seed %d", SEED).isBetween(0.4, 0.62);
  }

  @Test
  void aReplicaThatCannotFollowIsRaisedBeforeItIsFarBehind() {
    // Busy for 130 % at 1.0 GHz: it would lag by 0.3 s more each second.
    ClockLimits limits = LIMITS.withLag(50_000, 200 * MILLI);
    writes(600);
    long[] farthest = new long[1];
    List<Boolean> raised = new ArrayList<>();
    ClockedNodes.Listener listener =
        new ClockedNodes.Listener() {
          @Override
          public void looked(List<NodeView> nodes) {
            nodes.forEach(node -> farthest[0] = Math.max(farthest[0], node.lagBytes().orElse(0)));
          }

          @Override
          public void decided(Decision<?> decision) {
            ClockState state = (ClockState) decision.step().state();
            raised.add(state.nodes().get("n2").guarded());
          }
        };
    SimClocks clocks =
        new SimClocks(cluster, 1, scheduler, SETTINGS, new ConcertoPolicy(limits), listener);
    simulation.runUntil(30 * SECOND);
    assertThat(raised).contains(true, false);
    // What comes within a second before the next decision, and 50 kB that are allowed.
    assertThat(farthest[0]).as("seed %d", SEED).isBetween(50_001L, 50_000L + 300_000);
    assertThat(clocks.totals().changes()).isGreaterThan(2);
  }

  @Test
  void theAccountHasTheJoulesOfTheCluster() {
    writes(200);
    SimClocks clocks = clocks(CONCERTO);
    simulation.runUntil(6 * SECOND);
    long from = simulation.nowNanos();
    clocks.beginAccount();
    double begin = cluster.energy().joules(from);
    double busyBegin = busySeconds();
    simulation.runUntil(10 * SECOND);
    cluster.fail(1);
    simulation.runUntil(14 * SECOND);
    cluster.recover(1);
    simulation.runUntil(17 * SECOND);
    cluster.switchOff(2);
    simulation.runUntil(25 * SECOND);
    ClockedNodes.Totals totals = clocks.endAccount(simulation.nowNanos());
    // The profile's idle power is a fifth of its busy power; off it draws nothing.
    CorePower power = CorePower.ofIdleShare(0.2, 0.1);
    double joules = cluster.energy().joules(simulation.nowNanos()) - begin;
    assertThat(power.joules(totals.time(), 50)).isCloseTo(joules, within(1e-9 * joules));
    double busy = busySeconds() - busyBegin;
    assertThat(totals.masterSeconds() + 2 * totals.replicaSeconds()).isCloseTo(busy, within(1e-9));
    assertThat(clocks.nodes().stream().mapToDouble(ClockedNodes.Node::cpuSeconds).sum())
        .isCloseTo(busy, within(1e-9));
    assertThat(totals.time().seconds()).isCloseTo(2 * 19 + 11, within(1e-9));
    assertThat(power.busyOnly().saving(totals.time(), totals.atFastest())).isBetween(0.01, 0.5);
  }

  private double busySeconds() {
    long now = simulation.nowNanos();
    long sum = 0;
    for (int node = 0; node < 3; node++) {
      sum += cluster.energy().busyNanos(node, now);
    }
    return sum / 1e9;
  }

  @Test
  void replicasLackNothingOnceAllHasCome() {
    SimCluster own = cluster;
    int requester = own.register((tag, outcome, version) -> {});
    for (int key = 0; key < 200; key++) {
      own.write(requester, 0, key, 1, ConsistencyLevel.ONE);
    }
    simulation.runUntil(100 * MILLI);
    assertThat(own.replication().behind(1)).isPositive();
    own.fail(1);
    simulation.runUntil(30 * SECOND);
    own.recover(1);
    simulation.runUntil(60 * SECOND);
    assertThat(own.replication().behind(0)).isZero();
    assertThat(own.replication().behind(1)).isZero();
    assertThat(own.replication().behind(2)).isZero();
    assertThat(own.replication().replicated(0)).isEqualTo(200);
    for (int key = 0; key < 200; key++) {
      assertThat(own.versionAt(key, 1)).isEqualTo(1);
    }
  }

  @Test
  void clustersWithoutRolesAreRefused() {
    SimCluster ring =
        new SimCluster(
            simulation,
            ClusterConfig.builder(Topology.racks(3, 1), TokenRing.even(3, 3))
                .masterReplica(new MasterReplica(Distribution.NONE, MasterReplica.From.MASTER))
                .clocks(new Clocks(PStates.xeonSilver4114(), 0, 0))
                .build());
    assertThatThrownBy(
            () ->
                new SimClocks(ring, 1, scheduler, SETTINGS, CONCERTO, ClockedNodes.Listener.SILENT))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("in groups");
    assertThatThrownBy(() -> new ReplicaGroups(4, 3)).isInstanceOf(BadRequestException.class);
  }

  @Test
  void groupsHaveEqualPartsOfTheKeys() {
    ReplicaGroups groups = new ReplicaGroups(6, 2);
    int[] keys = new int[6];
    for (long key = 0; key < 30_000; key++) {
      keys[groups.replicas(SimCluster.token(key))[0]]++;
    }
    assertThat(new int[] {keys[1], keys[3], keys[5]}).containsOnly(0);
    for (int master = 0; master < 6; master += 2) {
      assertThat(keys[master]).isBetween(9_700, 10_300);
    }
  }
}
