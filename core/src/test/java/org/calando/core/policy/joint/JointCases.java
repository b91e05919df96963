package org.calando.core.policy.joint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PStates;
import org.calando.core.energy.PowerCurve;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Signal;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;

/** Nine nodes in three groups, three replicas, and what is seen of them. */
final class JointCases {
  static final long SECOND = 1_000_000_000L;
  static final NodeProfile PROFILE =
      new NodeProfile("test", 8, 75, 150, 4, 1, new PowerCurve.Linear(), 60, 100, "test");
  static final PStates STATES = PStates.xeonSilver4114();
  static final Promise PROMISE =
      Promise.NONE.with(Promised.STALE, 0.01).with(Promised.READ_P99, 0.05);
  static final JointLimits LIMITS = JointLimits.defaults().withResidency(60 * SECOND);

  /** What is seen; changed by tests. */
  double reads = 700;

  double writes = 300;
  double lagSeconds = 0.004;
  double p99Seconds = 0.012;
  double busyFactor = 1;
  int gear = 3;
  int live = 3;
  int off;
  int failed;
  int owed;
  int answered = 1000;
  int errors;
  boolean strained;
  Optional<Observation.Truth> truth = Optional.empty();
  int write = 1;
  boolean viaHighest;

  /** Of which nothing is told; -1 for none. */
  int silent = -1;

  List<SignalId<?>> missing = new ArrayList<>();

  static JointCluster cluster(int write) {
    return new JointCluster(
        3,
        write,
        List.of(3, 6, 9),
        List.of(1, 2, 3),
        PROFILE,
        CoreClocks.of(Optional.of(STATES), 0.25),
        5,
        WorkCosts.LI_2013);
  }

  JointController controller(Promise promise) {
    return new JointController(cluster(write), promise, LIMITS.withViaHighest(viaHighest));
  }

  /** Of nodes that are as busy as the model has them, at the state's setting. */
  Signals signals(long atNanos, JointState state) {
    JointCluster cluster = cluster(write);
    Map<SignalId<?>, Signal<?>> signals = new HashMap<>();
    signals.put(
        GearObservation.GEARS,
        new Signal<>(
            new GearObservation(atNanos, 0, "cluster", gear, failed, Optional.empty()), atNanos));
    double[][] rows = new double[50][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new double[] {0, lagSeconds, live < 3 ? Double.POSITIVE_INFINITY : lagSeconds};
      if (write > 1) {
        rows[i][1] = 0;
      }
    }
    signals.put(
        Observation.READS,
        new Signal<>(
            new Observation(
                atNanos,
                "table",
                3,
                write,
                live,
                off,
                Optional.of(new Observation.Rates(atNanos, reads, writes, 100)),
                Optional.of(new Observation.Lags(atNanos, PropagationLags.of(3, rows))),
                Optional.of(new Observation.Popularity(atNanos, KeyPopularity.uniform(20))),
                truth,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                strained),
            atNanos));
    int serving = cluster.serving(gear, live);
    JointModel model = new JointModel(cluster, reads, writes, 1, 1, 1, 1);
    double busy =
        busyFactor
            * model
                .of(
                    serving,
                    0,
                    state.set().gear() == 0
                        ? org.calando.core.policy.ReadChoice.of(2)
                        : state.set().reads())
                .meanBusyShare();
    long kHz = state.set().kHz() == 0 ? cluster.clocksKHz().get(0) : state.set().kHz();
    double at = busy * cluster.clocksKHz().get(0) / kHz;
    List<ClockObservation.Node> nodes = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      boolean on = i < cluster.nodes(serving);
      nodes.add(
          new ClockObservation.Node(
              new NodeView(
                  NodeRole.unknown("n" + i, atNanos),
                  false,
                  false,
                  on,
                  OptionalLong.of(owed),
                  OptionalLong.empty()),
              cluster.clocksKHz(),
              on && i != silent
                  ? Optional.of(
                      new ClockObservation.Work(atNanos, kHz, Math.min(1, at), 0, 0, 0, 0))
                  : Optional.empty()));
    }
    signals.put(
        ClockObservation.CLOCKS, new Signal<>(new ClockObservation(atNanos, nodes), atNanos));
    signals.put(
        ReadLatency.SIGNAL, new Signal<>(new ReadLatency(answered, errors, p99Seconds), atNanos));
    missing.forEach(signals::remove);
    return new Signals(atNanos, "table", signals);
  }
}
