package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.policy.Controller;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.knob.Configuration;
import org.calando.knob.DrivenKnobs;
import org.calando.knob.ManagedClocks;
import org.calando.studyfile.StudySpec;
import org.calando.studyfile.workload.RateSpec;

/**
 * What decides in a run, as its study's file has it: the same objects on real engines, on simulated
 * ones, and when decisions are made again.
 */
public final class RunControllers {
  private RunControllers() {}

  /** Those of all knobs of a run. */
  static List<Controller<?>> of(StudySpec study, RunConfig run) {
    List<Controller<?>> all = new ArrayList<>(driven(study, run));
    RunKnobs.of(run).forEach(knob -> RunKnobs.controller(knob, run).ifPresent(all::add));
    return all;
  }

  /** Those of knobs with drivers of their own. */
  private static List<Controller<?>> driven(StudySpec study, RunConfig run) {
    Configuration configuration = configuration(study, run);
    return DrivenKnobs.of(run.point()).stream()
        .<Controller<?>>flatMap(knob -> knob.controller(configuration).stream())
        .toList();
  }

  /** What a run is set to, for knobs with drivers of their own. */
  static Configuration configuration(StudySpec study, RunConfig run) {
    return new Configuration(
        run.point(),
        study.store(),
        study.power().profile(),
        study.clocks().orElse(ManagedClocks.SIMULATED),
        study.monitor(),
        speed(run),
        study.promise());
  }

  /** Of the run's gear; empty if it says nothing of gears. */
  static Optional<GearPolicy> gears(StudySpec study, RunConfig run) {
    return driven(study, run).stream()
        .filter(GearPolicy.class::isInstance)
        .map(GearPolicy.class::cast)
        .findFirst();
  }

  /** Local seconds that pass in a second. */
  static double speed(RunConfig run) {
    return run.rate().map(RateSpec::speed).orElse(1.0);
  }
}
