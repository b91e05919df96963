package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import org.calando.schema.Units;
import org.calando.studyfile.workload.RateSpec;

/** When the rate of a run's load changes at a step. Stateless and thread safe. */
final class RateSteps {
  private RateSteps() {}

  /**
   * A change of the rate.
   *
   * @param atNanos time since the load began, warm-up included
   * @param event what changes, in words
   */
  record Change(long atNanos, String event) {}

  /** The changes in their order; none but for a rate of steps. */
  static List<Change> of(RunConfig run) {
    List<Change> changes = new ArrayList<>();
    if (run.rate().orElse(null) instanceof RateSpec.Steps rate) {
      long atNanos = 0;
      for (int i = 1; i < rate.steps().size(); i++) {
        RateSpec.Step before = rate.steps().get(i - 1);
        atNanos += before.durationNanos();
        changes.add(
            new Change(
                atNanos,
                "rate %s -> %s"
                    .formatted(
                        Units.formatRate(before.perSecond()),
                        Units.formatRate(rate.steps().get(i).perSecond()))));
      }
    }
    return changes;
  }
}
