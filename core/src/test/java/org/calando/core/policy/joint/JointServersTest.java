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
import org.calando.core.energy.PowerCurve;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.Signal;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.Step;
import org.calando.core.policy.buffer.BufferObservation;
import org.calando.core.policy.buffer.FreshBufferPolicy;
import org.calando.core.policy.buffer.FreshLimits;
import org.calando.core.policy.buffer.FreshPromise;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.junit.jupiter.api.Test;

/** Three servers that have each key once: how many are on, and how far clients defer writes. */
class JointServersTest {
  private static final long SECOND = 1_000_000_000L;
  private static final JointCluster CLUSTER =
      new JointCluster(
          Placing.SERVERS,
          1,
          1,
          List.of(1, 2, 3),
          List.of(1, 1, 1),
          new NodeProfile("test", 8, 75, 150, 4, 1, PowerCurve.linear(), 5, 100, "test"),
          CoreClocks.ONE,
          5,
          WorkCosts.LI_2013);
  private static final Promise PROMISE =
      Promise.NONE.with(Promised.READ_P99, 0.05).with(Promised.FRESH, 0.5);

  private final JointController joint =
      new JointController(CLUSTER, PROMISE, JointLimits.defaults().withResidency(20 * SECOND));
  private final DeferringJoint deferring =
      new DeferringJoint(
          joint,
          new FreshBufferPolicy(
              new FreshPromise(500_000_000L, FreshPromise.ANY), FreshLimits.DEFAULT));
  private DeferringJoint.State state = deferring.initial();
  private long now = 1000 * SECOND;
  private int gear = 3;
  private double readsPerSecond = 50;
  private double writesPerSecond = 400;
  private double writesEach = 1;
  private boolean isWatched = true;
  private double freshNanos = 20e6;

  private Step<DeferringJoint.State> after(int seconds) {
    Step<DeferringJoint.State> step = null;
    for (int i = 0; i < seconds; i++) {
      now += SECOND;
      DeferringJoint.State same = deferring.read(deferring.write(state));
      assertThat(same).isEqualTo(state);
      step = deferring.decide(same, signals());
      state = step.state();
      gear = step.value(KnobId.GEAR).orElseThrow();
    }
    return Objects.requireNonNull(step);
  }

  private Signals signals() {
    Map<SignalId<?>, Signal<?>> signals = new HashMap<>();
    signals.put(
        Observation.READS,
        new Signal<>(
            new Observation(
                now,
                "t",
                1,
                1,
                1,
                0,
                Optional.of(new Observation.Rates(now, readsPerSecond, writesPerSecond, 100)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false),
            now));
    signals.put(ReadLatency.SIGNAL, new Signal<>(new ReadLatency(1000, 0, 0.01), now));
    signals.put(
        GearObservation.GEARS,
        new Signal<>(new GearObservation(now, 0, "servers", gear, 0, Optional.empty()), now));
    double busy =
        new JointModel(CLUSTER, readsPerSecond, writesPerSecond, 1, 1, 1, writesEach)
            .of(gear, 0, ReadChoice.of(1))
            .meanBusyShare();
    List<ClockObservation.Node> nodes = new ArrayList<>();
    for (int i = 1; i <= gear; i++) {
      nodes.add(
          new ClockObservation.Node(
              new NodeView(
                  NodeRole.unknown("n" + i, now),
                  false,
                  false,
                  true,
                  OptionalLong.empty(),
                  OptionalLong.empty()),
              CLUSTER.clocksKHz(),
              Optional.of(new ClockObservation.Work(now, 1, Math.min(1, busy), 0, 0, 0, 0))));
    }
    signals.put(ClockObservation.CLOCKS, new Signal<>(new ClockObservation(now, nodes), now));
    if (isWatched) {
      signals.put(BufferObservation.WRITES, new Signal<>(writes(), now));
    }
    return new Signals(now, "t", signals);
  }

  private BufferObservation writes() {
    return new BufferObservation(
        now,
        "t",
        Optional.of(new BufferObservation.Writes(now, writesPerSecond, 100)),
        Optional.of(new BufferObservation.Requests(now, writesEach, 5e6, 2e6)),
        Optional.of(new BufferObservation.Tail(now, 1000, 10e6, 1e6)),
        Optional.of(new BufferObservation.Freshness(now, 1000, freshNanos)),
        0);
  }

  @Test
  void writesAreDeferredAndServersGoOffOnceThatPays() {
    Step<DeferringJoint.State> step = after(3);
    assertThat(step.value(KnobId.WRITE_BUFFER).orElseThrow().delayNanos())
        .isBetween(10_000_000L, 500_000_000L);
    assertThat(gear).isEqualTo(3);
    step = after(120);
    assertThat(gear).isEqualTo(1);
    assertThat(String.join("; ", step.reasons()))
        .contains("joint: gear 1")
        .contains("fresh 500 ms");
  }

  @Test
  void aGearThatWouldBeTooBusyIsNotShiftedTo() {
    readsPerSecond = 2600;
    Step<DeferringJoint.State> step = after(200);
    assertThat(gear).isEqualTo(3);
    assertThat(String.join("; ", step.reasons())).contains("gear 2 would keep nodes busy");
  }

  /** Requests that carry many writes leave room for one server less. */
  @Test
  void deferringWritesSavesAServer() {
    writesPerSecond = 6000;
    readsPerSecond = 20;
    after(200);
    int strong = gear;
    writesEach = 200;
    after(600);
    assertThat(gear).isLessThan(strong);
  }

  @Test
  void moreLoadHasServersBack() {
    after(120);
    assertThat(gear).isEqualTo(1);
    readsPerSecond = 2600;
    after(5);
    assertThat(gear).isGreaterThan(1);
  }

  /** One second may be a buffer that is larger than it is to be; several are servers too few. */
  @Test
  void writesThatStayLateHaveAllServersBack() {
    after(120);
    assertThat(gear).isEqualTo(1);
    freshNanos = 600e6;
    Step<DeferringJoint.State> step = after(1);
    assertThat(gear).isEqualTo(1);
    assertThat(step.reasons())
        .anyMatch(
            why -> why.contains("writes could be read after 600 ms, 500 ms are promised: gear 1"));
    after(5);
    assertThat(gear).isEqualTo(3);
    freshNanos = 20e6;
    after(120);
    assertThat(gear).isEqualTo(1);
  }

  @Test
  void aBufferStaysWhereNothingTellsOfWrites() {
    after(3);
    isWatched = false;
    Step<DeferringJoint.State> step = after(1);
    assertThat(step.value(KnobId.WRITE_BUFFER)).isEmpty();
    assertThat(step.reasons()).anyMatch(why -> why.contains("what becomes of writes is unknown"));
  }

  @Test
  void aStateOfOneControllerIsNone() {
    org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
        .isThrownBy(() -> deferring.read(joint.write(joint.initial())));
  }
}
