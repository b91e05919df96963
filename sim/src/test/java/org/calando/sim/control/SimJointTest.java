package org.calando.sim.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.control.LevelledReads;
import org.calando.control.ShiftedNodes;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.joint.CoreClocks;
import org.calando.core.policy.joint.JointCluster;
import org.calando.core.policy.joint.JointController;
import org.calando.core.policy.joint.JointLimits;
import org.calando.core.policy.joint.WorkCosts;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.Topology;
import org.calando.sim.kernel.SimScheduler;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.api.Test;

/** Three nodes that hold the same, of which one is on in gear 1, and boots of half a minute. */
class SimJointTest {
  private static final long SECOND = 1_000_000_000L;
  private static final NodeProfile PROFILE =
      new NodeProfile("test", 5, 50, 100, 4, 1, PowerCurve.linear(), 30, 70, "a test");
  private static final List<Integer> GEARS = List.of(1, 2, 3);
  private static final GearModel MODEL =
      GearModel.ofEqualNodes(GEARS, PROFILE, 1000, 1, CatchUpModel.none(3));

  private final Simulation simulation = new Simulation();
  private final SimScheduler scheduler = new SimScheduler(simulation);
  private final SimCluster cluster =
      new SimCluster(
          simulation,
          ClusterConfig.builder(Topology.racks(3, 1), TokenRing.even(3, 3))
              .profile(PROFILE)
              .mostKeys(100 + 2048)
              .seed(7)
              .build());
  private final List<Integer> gears = new ArrayList<>();
  private int errors;
  private final int requester =
      cluster.register((tag, outcome, version) -> errors += outcome.isError() ? 1 : 0);
  private long key;
  private long version = 1;
  private double perSecond = 20;

  private void runTo(double seconds) {
    boolean[] reached = new boolean[1];
    scheduler.at((long) (seconds * SECOND), () -> reached[0] = true);
    simulation.runWhile(() -> !reached[0]);
  }

  private void operation(LevelledReads.JointlyDeciding reads) {
    key++;
    if (key % 10 == 0) {
      cluster.write(requester, 0, key % 100, ++version, ConsistencyLevel.ONE);
    } else {
      cluster.read(requester, 0, key % 100, reads.next());
    }
    scheduler.at(simulation.nowNanos() + (long) (SECOND / perSecond), () -> operation(reads));
  }

  @Test
  void readsAreAnsweredWhileNodesBoot() {
    cluster.load(0, 100, 1);
    JointController controller =
        new JointController(
            new JointCluster(3, 1, GEARS, GEARS, PROFILE, CoreClocks.ONE, 1, WorkCosts.LI_2013),
            Promise.NONE.with(Promised.STALE, 0.01),
            JointLimits.defaults().withResidency(5 * SECOND));
    SimJoint joint =
        new SimJoint(
            cluster,
            scheduler,
            new LevelledReads.JointSettings(
                LevelledReads.Settings.of(
                    new TableTelemetry.Settings(
                        "t",
                        ReplicaPlacement.single(3),
                        ConsistencyLevel.ONE,
                        5,
                        Duration.ofMillis(500)),
                    7),
                ReadChoice.of(3),
                Optional.of(MODEL),
                new ShiftedNodes.Settings(SECOND, 1, 1000, 2 * SECOND)),
            controller,
            Optional::empty,
            (decision, inForce) -> gears.add(decision.value(KnobId.GEAR).orElseThrow()));
    assertThat(joint.next()).as("before the first decision").isEqualTo(ConsistencyLevel.ALL);
    scheduler.at(SECOND, () -> operation(joint));
    runTo(300);
    assertThat(gears.get(gears.size() - 1)).isEqualTo(1);
    perSecond = 1200;
    runTo(310);
    assertThat(gears.get(gears.size() - 1)).isGreaterThan(1);
    assertThat(cluster.isServing(1)).isFalse();
    assertThat(joint.next()).isEqualTo(ConsistencyLevel.ONE);
    runTo(345);
    assertThat(cluster.isServing(1)).isTrue();
    assertThat(joint.next()).isNotEqualTo(ConsistencyLevel.ONE);
    assertThat(errors).isZero();
    assertThat(joint.failure()).isEmpty();
  }
}
