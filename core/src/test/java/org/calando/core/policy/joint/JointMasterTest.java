package org.calando.core.policy.joint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PStates;
import org.calando.core.energy.PowerCurve;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Signal;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.Step;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;
import org.junit.jupiter.api.Test;

/** A master with two replicas: which of them answer reads, and at what clocks replicas run. */
class JointMasterTest {
  private static final long SECOND = 1_000_000_000L;
  private static final ReadChoice REPLICAS = ReadChoice.of(1);
  private static final ReadChoice MASTER = ReadChoice.of(2);
  private static final PStates STATES = PStates.xeonSilver4114();
  private static final JointCluster CLUSTER =
      new JointCluster(
          Placing.MASTER,
          3,
          1,
          List.of(3),
          List.of(3),
          new NodeProfile("test", 8, 75, 150, 4, 1, PowerCurve.linear(), 60, 100, "test"),
          CoreClocks.of(Optional.of(STATES), 0),
          0,
          WorkCosts.IN_MEMORY);
  private static final long FASTEST = CLUSTER.clocksKHz().get(0);
  private static final long SLOWEST = CLUSTER.clocksKHz().get(CLUSTER.clocksKHz().size() - 1);

  private Promise promise = Promise.NONE.with(Promised.STALE, 0.01).with(Promised.READ_P99, 0.01);
  private JointState state = JointState.INITIAL;
  private long now = 1000 * SECOND;
  private double readsPerSecond = 4000;
  private double writesPerSecond = 400;
  private double lagSeconds = 0.001;
  private double p99Seconds = 0.001;
  private int live = 3;
  private boolean isBusyKnown = true;
  private String mayBeMaster = "n1";

  private JointController controller() {
    return new JointController(CLUSTER, promise, JointLimits.defaults());
  }

  private Step<JointState> after(int seconds) {
    Step<JointState> step = null;
    for (int i = 0; i < seconds; i++) {
      now += SECOND;
      JointState same = controller().read(controller().write(state));
      assertThat(same).isEqualTo(state);
      step = controller().decide(same, signals());
      state = step.state();
    }
    return Objects.requireNonNull(step);
  }

  private Signals signals() {
    double[][] rows = new double[50][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new double[] {0, lagSeconds / 2, lagSeconds};
    }
    Map<SignalId<?>, Signal<?>> signals = new HashMap<>();
    signals.put(
        Observation.READS,
        new Signal<>(
            new Observation(
                now,
                "calando:t",
                3,
                1,
                live,
                0,
                Optional.of(new Observation.Rates(now, readsPerSecond, writesPerSecond, 100)),
                Optional.of(new Observation.Lags(now, PropagationLags.of(3, rows))),
                Optional.of(new Observation.Popularity(now, KeyPopularity.uniform(1000))),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false),
            now));
    signals.put(ReadLatency.SIGNAL, new Signal<>(new ReadLatency(4000, 0, p99Seconds), now));
    List<ClockObservation.Node> nodes = new ArrayList<>();
    for (String name : List.of("n1", "n2", "n3")) {
      nodes.add(node(name));
    }
    signals.put(ClockObservation.CLOCKS, new Signal<>(new ClockObservation(now, nodes), now));
    return new Signals(now, "calando:t", signals);
  }

  private ClockObservation.Node node(String name) {
    boolean isMaster = name.equals("n1");
    ReadChoice reads = state.set().gear() == 0 ? MASTER : state.set().reads();
    double busy =
        new JointModel(CLUSTER, readsPerSecond, writesPerSecond, 1, 1, 1, 1)
            .of(1, 0, reads)
            .meanBusyShare();
    NodeRole word =
        new NodeRole(name, 1, "", isMaster ? Role.MASTER : Role.REPLICA, "", true, 0, 2, now);
    return new ClockObservation.Node(
        new NodeView(
            word,
            mayBeMaster.contains(name),
            false,
            true,
            OptionalLong.empty(),
            OptionalLong.empty()),
        CLUSTER.clocksKHz(),
        isBusyKnown
            ? Optional.of(new ClockObservation.Work(now, FASTEST, Math.min(1, busy), 0, 0, 0, 0))
            : Optional.empty());
  }

  private static Map<String, Long> clocks(Step<?> step) {
    Map<String, Long> clocks = new HashMap<>();
    for (Setting<?> setting : step.settings()) {
      if (setting.knob().equals(KnobId.CLOCK)) {
        clocks.put(setting.target(), (Long) setting.value());
      }
    }
    return clocks;
  }

  private static ReadChoice reads(Step<?> step) {
    return step.value(KnobId.READ_LEVEL).orElseThrow();
  }

  @Test
  void readsGoToReplicasThatAreFreshEnoughAndTheirClocksAreSlow() {
    assertThat(reads(after(1))).as("nothing is eased at once").isEqualTo(MASTER);
    Step<JointState> step = after(30);
    assertThat(clocks(step)).containsEntry("n1", FASTEST);
    assertThat(clocks(step).get("n2")).isEqualTo(SLOWEST);
    assertThat(clocks(step).get("n3")).isEqualTo(SLOWEST);
    assertThat(String.join("; ", step.reasons())).contains("reads at replicas").contains("GHz");
  }

  @Test
  void readsStayAtTheMasterWhereReplicasAreTooStaleAndItIsSaid() {
    lagSeconds = 1;
    Step<JointState> step = after(30);
    assertThat(reads(step).mean()).isGreaterThan(1.5);
    assertThat(String.join("; ", step.reasons()))
        .contains("reads at replicas would be")
        .contains("% stale, 1 % is promised");
  }

  @Test
  void aShareOfTheReadsGoesToTheMasterWhereAllAtReplicasWouldBeTooMany() {
    lagSeconds = 0.06;
    Step<JointState> step = after(30);
    assertThat(reads(step).replicas()).isEqualTo(1);
    assertThat(reads(step).shareAbove()).isBetween(0.1, 0.9);
    assertThat(step.reasons().get(0)).contains("of them at the master");
  }

  @Test
  void whatIsPromisedOfTimeKeepsReadsFromLateReplicas() {
    promise = Promise.NONE.with(Promised.FRESH, 0.5);
    lagSeconds = 0.3;
    assertThat(reads(after(30))).isEqualTo(REPLICAS);
    lagSeconds = 0.48;
    Step<JointState> step = after(1);
    assertThat(reads(step)).as("a tenth stays free, at once").isEqualTo(MASTER);
    assertThat(String.join("; ", step.reasons()))
        .contains("replicas may be 480 ms late, 500 ms are promised");
  }

  @Test
  void withoutAPromiseOfStaleReadsTheMasterAnswers() {
    promise = Promise.NONE.with(Promised.READ_P99, 0.01);
    Step<JointState> step = after(30);
    assertThat(reads(step)).isEqualTo(MASTER);
    assertThat(clocks(step).get("n2")).isEqualTo(SLOWEST);
  }

  @Test
  void aLagThatIsNotKnownHasTheMasterAnswer() {
    assertThat(reads(after(30))).isEqualTo(REPLICAS);
    lagSeconds = Double.POSITIVE_INFINITY;
    assertThat(reads(after(1))).isEqualTo(MASTER);
  }

  @Test
  void aReplicaThatIsAwayHasTheMasterAnswerAtTheFastestClocks() {
    after(30);
    live = 2;
    Step<JointState> step = after(1);
    assertThat(reads(step)).isEqualTo(MASTER);
    assertThat(clocks(step).values()).containsOnly(FASTEST);
    assertThat(step.reasons().get(0)).contains("1 replica away: safe, reads at the master");
    live = 3;
    assertThat(reads(after(20))).as("it may lack writes").isEqualTo(MASTER);
    assertThat(reads(after(90))).isEqualTo(REPLICAS);
  }

  @Test
  void aNodeThatMayBeTheMasterIsNeverSlow() {
    mayBeMaster = "n1 n3";
    Step<JointState> step = after(30);
    assertThat(clocks(step)).containsEntry("n1", FASTEST).containsEntry("n3", FASTEST);
    assertThat(clocks(step).get("n2")).isEqualTo(SLOWEST);
  }

  @Test
  void slowReadsRaiseAllClocksAtOnce() {
    after(30);
    p99Seconds = 0.02;
    Step<JointState> step = after(1);
    assertThat(clocks(step).values()).containsOnly(FASTEST);
    assertThat(step.reasons().get(0)).contains("99 % of the reads took 20 ms, 10 ms are promised");
  }

  @Test
  void replicasThatWouldBeTooBusyAtASlowClockRunFaster() {
    readsPerSecond = 120_000;
    writesPerSecond = 2000;
    Step<JointState> step = after(60);
    assertThat(reads(step)).isEqualTo(REPLICAS);
    assertThat(clocks(step).get("n2")).isGreaterThan(SLOWEST);
  }

  @Test
  void nothingIsEasedWhileItIsUnknownHowBusyNodesAre() {
    isBusyKnown = false;
    Step<JointState> step = after(30);
    assertThat(reads(step)).isEqualTo(MASTER);
    assertThat(clocks(step).values()).containsOnly(FASTEST);
  }
}
