package org.calando.knob.frequency;

import java.util.List;
import java.util.Optional;
import org.calando.control.ClockedNodes;
import org.calando.core.policy.Controller;
import org.calando.core.policy.clock.ClockPolicy;
import org.calando.engine.EngineSettings;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.engine.StoreSpec;
import org.calando.knob.Axis;
import org.calando.knob.Configuration;
import org.calando.knob.DrivenKnob;
import org.calando.knob.KnobRun;
import org.calando.knob.ManagedClocksChecks;
import org.calando.knob.ManagedClocksSchema;
import org.calando.knob.RunPart;
import org.calando.knob.StudyChecks;
import org.calando.report.column.Column;
import org.calando.report.column.RunColumns;
import org.calando.schema.Values;

/** At what clocks nodes' processors run, as what studies vary: by policies. */
public final class ClockKnob implements DrivenKnob {
  private static final int RANK = 30;
  private static final List<String> OF_MACHINES =
      List.of("cpus", "sysfs", "pin", "silence", "read-offload");

  /** For the service. */
  public ClockKnob() {}

  @Override
  public Axis<?> axis() {
    return ManagedClocksSchema.AXIS;
  }

  @Override
  public int rank() {
    return RANK;
  }

  @Override
  public Column column() {
    return RunColumns.CLOCK;
  }

  @Override
  public void check(StudyChecks checks) {
    Values study = checks.study();
    StoreSpec store = checks.store();
    List<String> policies = checks.paths(ManagedClocksSchema.AXIS);
    if (!store.supports(Feature.CLOCKS_BY_ROLE)) {
      String why =
          "is supported only by "
              + Engines.names(Feature.CLOCKS_BY_ROLE)
              + ", where clients wait for a master";
      policies.forEach(path -> study.errorAt(path, why, "remove it"));
      study.forbid(why, ManagedClocksSchema.CLOCKS);
    } else if (policies.isEmpty() && !store.isSimulated() && isDecided(checks)) {
      study
          .find(ManagedClocksSchema.CLOCKS)
          .ifPresent(clocks -> ManagedClocksChecks.checkNodes(study, clocks, store));
    } else if (policies.isEmpty()) {
      study.forbid("is valid only with matrix.clock", ManagedClocksSchema.CLOCKS);
    } else if (store.isSimulated()) {
      checkSimulated(study, store, policies.get(0));
    } else if (!study.given(ManagedClocksSchema.CLOCKS)) {
      study.errorAt(
          policies.get(0),
          "the processors of the nodes are not given",
          "add clocks: {cpus: {n1: 0, n2: 1, ...}}");
    } else {
      study
          .find(ManagedClocksSchema.CLOCKS)
          .ifPresent(clocks -> ManagedClocksChecks.checkNodes(study, clocks, store));
    }
  }

  /** Whether a controller of several knobs sets clocks. */
  private static boolean isDecided(StudyChecks checks) {
    return checks.parts().stream()
        .anyMatch(part -> !checks.covered(part, ManagedClocksSchema.AXIS).isEmpty());
  }

  /** Simulated cores have clocks of their own, and no machine. */
  private static void checkSimulated(Values study, StoreSpec store, String policy) {
    if (!store.settings().stream().allMatch(EngineSettings::hasRoles)) {
      study.errorAt(
          policy,
          "no node of the simulated cluster is a replica only",
          "add store.sim.masters: {placement: groups}");
    }
    for (String key : OF_MACHINES) {
      if (study.has("clocks." + key)) {
        study.errorAt("clocks." + key, "is valid only for a real machine", "remove it");
      }
    }
    for (String key : List.of("ghz", "nodes")) {
      if (study.has("store.sim.clocks." + key)) {
        study.errorAt(
            "store.sim.clocks." + key, "is what " + policy + "'s policies set", "remove it");
      }
    }
    if (study.has("clocks.states") && study.has("store.sim.clocks.states")) {
      study.errorAt("clocks.states", "given beside store.sim.clocks.states", "remove one of them");
    }
  }

  /** Idle power is that of nodes at the clocks that the policy gives them. */
  @Override
  public boolean isBeforeIdle() {
    return true;
  }

  @Override
  public Optional<Controller<?>> controller(Configuration configuration) {
    return configuration.point().find(ManagedClocksSchema.AXIS).map(configuration.clocks()::policy);
  }

  @Override
  public Optional<RunPart> begin(KnobRun run) {
    ClockedNodes nodes = run.cluster().find(ClockedNodes.class).orElseThrow();
    ClockPolicy policy =
        run.configuration().clocks().policy(run.point().get(ManagedClocksSchema.AXIS));
    ClockDriver driver = new ClockDriver(run, nodes, policy);
    driver.awaitSettled();
    return Optional.of(driver);
  }
}
