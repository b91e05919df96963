package org.calando.knob.joint;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.calando.core.energy.PStates;
import org.calando.core.policy.Controller;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.joint.JointCluster;
import org.calando.core.policy.joint.JointController;
import org.calando.core.policy.joint.JointLimits;
import org.calando.core.policy.joint.ModelledWork;
import org.calando.core.store.ConsistencyLevel;
import org.calando.engine.GearedNodes;
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

/** Levels of reads, gear and clocks at once, as what studies vary: by one controller. */
public final class JointKnob implements DrivenKnob {
  /** After levels, gears and clocks, so that what they say of nothing is not said after it. */
  private static final int RANK = 35;

  private static final int PERIODS_TO_FIGURES = 3;
  private static final long USUAL_CLOCK = 1;

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
    return Set.of("consistency", "gear", "clock");
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

  private static JointController controller(Configuration configuration, JointChoice choice) {
    MonitorSpec monitor = configuration.monitor();
    return new JointController(
        cluster(configuration, choice.write()),
        configuration.promise(),
        JointLimits.defaults()
            .withResidency(choice.residencyNanos())
            .withMonitor(monitor.periodNanos(), monitor.windowNanos())
            .withViaHighest(
                GearedNodes.of(configuration.store())
                    .filter(GearedNodes::isViaHighest)
                    .isPresent()));
  }

  /** What of a configuration's cluster may be set. */
  static JointCluster cluster(Configuration configuration, ConsistencyLevel write) {
    ModelledWork work = configuration.store().find(ModelledWork.class).orElse(ModelledWork.LEARNT);
    int replicas = configuration.store().placement().among(ConsistencyLevel.ONE);
    Optional<GearModel> gears = gears(configuration);
    Optional<GearedNodes> geared = GearedNodes.of(configuration.store());
    List<PStates.State> states = work.states().map(PStates::states).orElse(List.of());
    return new JointCluster(
        replicas,
        write.replicas(replicas),
        gears
            .map(model -> eachGear(model, model::nodesOn))
            .orElseGet(() -> List.of(configuration.store().nodes())),
        gears
            .map(model -> eachGear(model, gear -> geared.orElseThrow().copies(gear)))
            .orElseGet(() -> List.of(replicas)),
        configuration.profile(),
        states.isEmpty()
            ? List.of(USUAL_CLOCK)
            : states.stream().map(state -> Math.round(state.ghz() * 1e6)).toList(),
        states.isEmpty()
            ? List.of(1.0)
            : states.stream()
                .map(state -> work.states().orElseThrow().relativePower(state.ghz()))
                .toList(),
        work.idleActivity(),
        gears.map(GearModel::offSeconds).orElse(0.0),
        work.costs());
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
        new JointDriver(run, choice.write(), controller(run.configuration(), choice)));
  }
}
