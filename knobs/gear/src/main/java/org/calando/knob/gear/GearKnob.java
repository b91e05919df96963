package org.calando.knob.gear;

import java.util.Optional;
import org.calando.control.ShiftedNodes;
import org.calando.core.policy.Controller;
import org.calando.core.policy.gear.FixedGearPolicy;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.engine.GearedNodes;
import org.calando.engine.StoreLayout;
import org.calando.knob.Axis;
import org.calando.knob.Configuration;
import org.calando.knob.DrivenKnob;
import org.calando.knob.DrivenKnobs;
import org.calando.knob.GearChoice;
import org.calando.knob.GearSchema;
import org.calando.knob.KnobRun;
import org.calando.knob.RunPart;
import org.calando.knob.StudyChecks;
import org.calando.report.column.Column;
import org.calando.report.column.RunColumns;

/** Which nodes are on, as what studies vary. */
public final class GearKnob implements DrivenKnob {
  private static final int RANK = 20;

  /** For the service. */
  public GearKnob() {}

  @Override
  public Axis<?> axis() {
    return GearSchema.AXIS;
  }

  @Override
  public int rank() {
    return RANK;
  }

  @Override
  public Column column() {
    return RunColumns.GEAR;
  }

  @Override
  public void check(StudyChecks study) {
    new GearChecks(study).run();
  }

  @Override
  public Optional<Controller<?>> controller(Configuration configuration) {
    return configuration.point().find(GearSchema.AXIS).map(choice -> policy(configuration, choice));
  }

  private static GearPolicy policy(Configuration configuration, GearChoice choice) {
    return choice.isFixed()
        ? new FixedGearPolicy(choice.gear())
        : choice.policy(
            model(configuration), configuration.speed(), configuration.monitor().periodNanos());
  }

  /** What policies take the cluster for; that of a cluster of files goes by where blocks lie. */
  private static GearModel model(Configuration configuration) {
    return GearedNodes.model(
            configuration.store(),
            configuration.profile(),
            DrivenKnobs.layout(configuration.point()).flatMap(StoreLayout::blocks))
        .orElseThrow();
  }

  /** Of clusters that are shifted in their own time; files have their shifts before and after. */
  @Override
  public Optional<RunPart> begin(KnobRun run) {
    return run.cluster()
        .find(ShiftedNodes.class)
        .map(nodes -> drive(run, nodes, run.point().get(GearSchema.AXIS)));
  }

  private static RunPart drive(KnobRun run, ShiftedNodes nodes, GearChoice choice) {
    Configuration configuration = run.configuration();
    GearModel model =
        choice.isFixed()
            ? GearedNodes.of(configuration.store())
                .flatMap(geared -> geared.fixedModel(configuration.profile()))
                .orElseThrow()
            : model(configuration);
    return new GearDriver(run, nodes, model, policy(configuration, choice));
  }
}
