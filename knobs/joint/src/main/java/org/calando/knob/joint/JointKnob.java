package org.calando.knob.joint;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.Controller;
import org.calando.core.policy.buffer.FreshBufferPolicy;
import org.calando.core.policy.buffer.FreshLimits;
import org.calando.core.policy.buffer.FreshPromise;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.joint.CoreClocks;
import org.calando.core.policy.joint.DeferringJoint;
import org.calando.core.policy.joint.JointCluster;
import org.calando.core.policy.joint.JointController;
import org.calando.core.policy.joint.JointLimits;
import org.calando.core.policy.joint.ModelledWork;
import org.calando.core.policy.joint.Placing;
import org.calando.core.policy.joint.WorkCosts;
import org.calando.core.store.ConsistencyLevel;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.engine.GearedNodes;
import org.calando.engine.StoreSpec;
import org.calando.knob.Axis;
import org.calando.knob.Configuration;
import org.calando.knob.DrivenKnob;
import org.calando.knob.KnobRun;
import org.calando.knob.MonitorSpec;
import org.calando.knob.Point;
import org.calando.knob.RunPart;
import org.calando.knob.StudyChecks;
import org.calando.report.column.Column;
import org.calando.report.column.LevelColumns;
import org.calando.report.column.RunColumns;
import org.calando.report.column.RunRecord;

/** All knobs of a cluster at once, as what studies vary: by one controller. */
public final class JointKnob implements DrivenKnob {
  /** After levels, gears and clocks, so that what they say of nothing is not said after it. */
  private static final int RANK = 35;

  private static final int PERIODS_TO_FIGURES = 3;

  static final Axis<JointChoice> AXIS =
      Axis.of(
              "joint",
              JointChoice.TYPE,
              JointChoice::label,
              "One controller of all knobs that the cluster has, which keeps the study's promise"
                  + " with the fewest watts.",
              "{write: QUORUM}")
          .named();

  /** For the service. */
  public JointKnob() {}

  @Override
  public Axis<?> axis() {
    return AXIS;
  }

  @Override
  public Set<String> covers() {
    return Set.of("consistency", "gear", "clock", "write-buffer", "read-from");
  }

  @Override
  public int rank() {
    return RANK;
  }

  @Override
  public Column column() {
    return RunColumns.CONSISTENCY;
  }

  @Override
  public void identify(Point point, RunRecord record) {
    point
        .find(AXIS)
        .ifPresent(
            joint ->
                record
                    .give(RunColumns.CONSISTENCY, joint.label())
                    .give(RunColumns.READ_LEVEL, "joint")
                    .give(RunColumns.WRITE_LEVEL, joint.write().name())
                    .give(RunColumns.GEAR, "joint")
                    .give(RunColumns.CLOCK, "joint")
                    .give(LevelColumns.POLICY, "joint"));
  }

  @Override
  public void check(StudyChecks study) {
    new JointChecks(study).run();
  }

  @Override
  public long warmUpNanos(Configuration configuration) {
    MonitorSpec monitor = configuration.monitor();
    return 2 * (monitor.windowNanos() + PERIODS_TO_FIGURES * monitor.periodNanos());
  }

  @Override
  public Optional<Controller<?>> controller(Configuration configuration) {
    return configuration.point().find(AXIS).map(choice -> controller(configuration, choice));
  }

  private static Controller<?> controller(Configuration configuration, JointChoice choice) {
    MonitorSpec monitor = configuration.monitor();
    Promise promise = configuration.promise();
    JointCluster cluster = cluster(configuration, choice.write());
    JointController joint =
        new JointController(
            cluster,
            promise,
            JointLimits.defaults()
                .withResidency(choice.residencyNanos())
                .withMonitor(monitor.periodNanos(), monitor.windowNanos())
                .withViaHighest(
                    GearedNodes.of(configuration.store())
                        .filter(GearedNodes::isViaHighest)
                        .isPresent()));
    OptionalDouble fresh = promise.limit(Promised.FRESH);
    return cluster.placing() == Placing.SERVERS && fresh.isPresent()
        ? new DeferringJoint(
            joint,
            new FreshBufferPolicy(
                new FreshPromise(Math.round(fresh.getAsDouble() * 1e9), FreshPromise.ANY),
                FreshLimits.DEFAULT))
        : joint;
  }

  /** Where a key is, and which nodes a read asks. */
  static Placing placing(StoreSpec store) {
    if (is(store, Feature.SIMULATED)) {
      return Placing.REPLICAS;
    }
    return is(store, Feature.READ_FROM)
        ? Placing.MASTER
        : is(store, Feature.DEFERRED_WRITES) ? Placing.SERVERS : Placing.REPLICAS;
  }

  private static boolean is(StoreSpec store, Feature feature) {
    return Engines.with(feature).stream().anyMatch(each -> each.id().equals(store.engine()));
  }

  /** What of a configuration's cluster may be set. */
  static JointCluster cluster(Configuration configuration, ConsistencyLevel write) {
    StoreSpec store = configuration.store();
    ModelledWork work = store.find(ModelledWork.class).orElse(ModelledWork.LEARNT);
    Placing placing = placing(store);
    int replicas = placing == Placing.SERVERS ? 1 : store.placement().among(ConsistencyLevel.ONE);
    Optional<GearModel> gears = gears(configuration);
    Optional<GearedNodes> geared = GearedNodes.of(store);
    return new JointCluster(
        placing,
        replicas,
        write.replicas(replicas),
        gears.map(model -> eachGear(model, model::nodesOn)).orElseGet(() -> List.of(store.nodes())),
        gears
            .map(model -> eachGear(model, gear -> geared.orElseThrow().copies(gear)))
            .orElseGet(() -> List.of(replicas)),
        configuration.profile(),
        placing == Placing.MASTER
            ? CoreClocks.of(configuration.clocks().states(), 0)
            : CoreClocks.of(work.states(), work.idleActivity()),
        gears.map(GearModel::offSeconds).orElse(0.0),
        placing == Placing.MASTER ? WorkCosts.IN_MEMORY : work.costs());
  }

  private static <V> List<V> eachGear(GearModel model, java.util.function.IntFunction<V> of) {
    return java.util.stream.IntStream.rangeClosed(1, model.highest()).mapToObj(of).toList();
  }

  /** Of a cluster that has gears which policies may choose. */
  static Optional<GearModel> gears(Configuration configuration) {
    return GearedNodes.model(configuration.store(), configuration.profile(), Optional.empty());
  }

  @Override
  public Optional<RunPart> begin(KnobRun run) {
    JointChoice choice = run.point().get(AXIS);
    return Optional.of(
        new JointDriver(
            run,
            choice,
            cluster(run.configuration(), choice.write()),
            controller(run.configuration(), choice)));
  }
}
