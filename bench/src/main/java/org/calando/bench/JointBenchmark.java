package org.calando.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PStates;
import org.calando.core.energy.Profiles;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Observation;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.Signal;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.joint.CoreClocks;
import org.calando.core.policy.joint.JointCluster;
import org.calando.core.policy.joint.JointController;
import org.calando.core.policy.joint.JointLimits;
import org.calando.core.policy.joint.JointState;
import org.calando.core.policy.joint.ReadLatency;
import org.calando.core.policy.joint.WorkCosts;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a decision of the joint controller costs: levels of five replicas, as many gears, seven
 * clocks, for a table of a million keys of which 500 writes were sampled.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgs = "-Xmx512m")
public class JointBenchmark {
  private static final int REPLICAS = 5;
  private static final int SAMPLED = 500;
  private static final long AT = 1_000_000_000_000L;

  @Param("100")
  private int nodes;

  private Signals signals = new Signals(AT, "table", Map.of());
  private PolicyLoop<JointState> loop = new PolicyLoop<>(controller(REPLICAS), "table");

  private static JointController controller(int nodes) {
    PStates states = PStates.xeonSilver4114();
    NodeProfile profile = Profiles.byName(Profiles.DEFAULT).orElseThrow();
    List<Integer> on = new ArrayList<>();
    List<Integer> copies = new ArrayList<>();
    for (int gear = 1; gear <= REPLICAS; gear++) {
      on.add(nodes * gear / REPLICAS);
      copies.add(gear);
    }
    JointCluster cluster =
        new JointCluster(
            REPLICAS,
            1,
            on,
            copies,
            profile,
            CoreClocks.of(Optional.of(states), 0),
            5,
            WorkCosts.LI_2013);
    Promise promise = Promise.NONE.with(Promised.STALE, 0.01).with(Promised.READ_P99, 0.05);
    return new JointController(cluster, promise, JointLimits.defaults());
  }

  @Setup
  public void fill() {
    loop = new PolicyLoop<>(controller(nodes), "table");
    Random random = new Random(42);
    double[][] lags = new double[SAMPLED][REPLICAS];
    for (double[] write : lags) {
      for (int replica = 1; replica < REPLICAS; replica++) {
        write[replica] = -0.02 * Math.log(1 - random.nextDouble());
      }
    }
    List<ClockObservation.Node> each = new ArrayList<>();
    List<Long> clocks = List.of(2_200_000L, 1_800_000L, 1_400_000L, 1_000_000L);
    for (int node = 0; node < nodes; node++) {
      NodeView view =
          new NodeView(
              NodeRole.unknown("n" + node, AT),
              false,
              false,
              true,
              OptionalLong.empty(),
              OptionalLong.empty());
      each.add(
          new ClockObservation.Node(
              view,
              clocks,
              Optional.of(new ClockObservation.Work(AT, 2_200_000, 0.3, 0, 0, 0, 0))));
    }
    Observation table =
        new Observation(
            AT,
            "table",
            REPLICAS,
            1,
            REPLICAS,
            0,
            Optional.of(new Observation.Rates(AT, 70.0 * nodes, 30.0 * nodes, 100)),
            Optional.of(new Observation.Lags(AT, PropagationLags.of(REPLICAS, lags))),
            Optional.of(new Observation.Popularity(AT, KeyPopularity.zipf(1_000_000, 0.99))),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false);
    Map<SignalId<?>, Signal<?>> all = new HashMap<>();
    all.put(Observation.READS, new Signal<>(table, AT));
    all.put(ClockObservation.CLOCKS, new Signal<>(new ClockObservation(AT, each), AT));
    all.put(
        GearObservation.GEARS,
        new Signal<>(new GearObservation(AT, 0, "cluster", REPLICAS, 0, Optional.empty()), AT));
    all.put(ReadLatency.SIGNAL, new Signal<>(new ReadLatency(10_000, 0, 0.02), AT));
    signals = new Signals(AT, "table", all);
    loop.decide(signals);
  }

  /** A decision. */
  @Benchmark
  public Decision<JointState> decide() {
    return loop.decide(signals);
  }
}
