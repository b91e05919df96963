package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Policy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.SafeLevel;
import org.calando.core.policy.StaticPolicy;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.store.ConsistencyLevel;
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
  /** Where a policy chooses levels it has one decision at least before nodes leave. */
  private static final int PERIODS_OF_NOTICE = 2;

  private RunControllers() {}

  /** Those of all knobs of a run. */
  static List<Controller<?>> of(StudySpec study, RunConfig run) {
    List<Controller<?>> all = new ArrayList<>();
    if (LevelRun.isNeeded(study, run)) {
      all.add(levels(study, run));
    }
    Configuration configuration = configuration(study, run);
    DrivenKnobs.of(run.point()).forEach(knob -> knob.controller(configuration).ifPresent(all::add));
    RunKnobs.of(run).forEach(knob -> RunKnobs.controller(knob, run).ifPresent(all::add));
    return all;
  }

  /** Of the level of reads; a fixed level where no policy chooses. */
  static Policy<?> levels(StudySpec study, RunConfig run) {
    Optional<AdaptivePolicy> adaptive = adaptive(study, run);
    if (adaptive.isPresent()) {
      return adaptive.get();
    }
    ConsistencyLevel one =
        isLocal(run.levels().write()) ? ConsistencyLevel.LOCAL_ONE : ConsistencyLevel.ONE;
    int among = study.store().placement().among(one);
    int fixed = run.levels().fixedRead().orElseThrow().replicas(among);
    return new StaticPolicy(ReadChoice.of(Math.min(among, fixed)));
  }

  /** The policy that chooses levels, if one does. */
  static Optional<AdaptivePolicy> adaptive(StudySpec study, RunConfig run) {
    ConsistencyLevel write = run.levels().write();
    SafeLevel safe = SafeLevel.weakest(study.store().placement(), write, isLocal(write));
    return run.levels().policy().map(spec -> spec.policy(safe, isLocal(write)));
  }

  private static boolean isLocal(ConsistencyLevel write) {
    return write == ConsistencyLevel.LOCAL_ONE || write == ConsistencyLevel.LOCAL_QUORUM;
  }

  /** What a run is set to, for knobs with drivers of their own. */
  static Configuration configuration(StudySpec study, RunConfig run) {
    long periodNanos = study.monitor().periodNanos();
    return new Configuration(
        run.point(),
        study.store(),
        study.power().profile(),
        study.clocks().orElse(ManagedClocks.SIMULATED),
        periodNanos,
        speed(run),
        run.levels().policy().isEmpty() ? 0 : PERIODS_OF_NOTICE * periodNanos);
  }

  /** Of the run's gear; empty if it says nothing of gears. */
  static Optional<GearPolicy> gears(StudySpec study, RunConfig run) {
    Configuration configuration = configuration(study, run);
    return DrivenKnobs.of(run.point()).stream()
        .flatMap(knob -> knob.controller(configuration).stream())
        .filter(GearPolicy.class::isInstance)
        .map(GearPolicy.class::cast)
        .findFirst();
  }

  /** Local seconds that pass in a second. */
  static double speed(RunConfig run) {
    return run.rate().map(RateSpec::speed).orElse(1.0);
  }
}
