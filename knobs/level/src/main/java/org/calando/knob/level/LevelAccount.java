package org.calando.knob.level;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.Decision;
import org.calando.core.policy.HarmonyExactPolicy;
import org.calando.core.policy.HarmonyPolicy;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Observation;
import org.calando.core.policy.PbsPolicy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.ReadLevels;
import org.calando.core.policy.SafeLevel;
import org.calando.core.staleness.StaleEstimate;
import org.calando.report.column.LevelFigures;

/** Sums up the decisions of a run's measured window. Thread safe. */
final class LevelAccount {
  private final ReadLevels levels;
  private final List<AdaptivePolicy> models;
  private final List<Mean> ofOne = List.of(new Mean(), new Mean(), new Mean());
  private final List<Mean> ofChoice = List.of(new Mean(), new Mean(), new Mean());
  private boolean measuring;
  private long decisions;
  private long atOne;
  private long atFallback;
  private long canaryReads;
  private long canaryStale;

  /**
   * An account of nothing yet.
   *
   * @param levels how replicas map to levels
   * @param safe the table's safe level
   */
  LevelAccount(ReadLevels levels, SafeLevel safe) {
    this.levels = levels;
    AdaptiveConfig config = AdaptiveConfig.of(1).withLevels(levels.local(), safe);
    this.models =
        List.of(new HarmonyPolicy(config), new HarmonyExactPolicy(config), new PbsPolicy(config));
  }

  /** A mean of what there was. */
  private static final class Mean {
    private double sum;
    private long count;

    void add(double value) {
      sum += value;
      count++;
    }

    double value() {
      return count == 0 ? Double.NaN : sum / count;
    }
  }

  synchronized void measurementBegan() {
    measuring = true;
  }

  synchronized void measurementEnded() {
    measuring = false;
  }

  /** Takes a decision in, if it falls into the measured window. */
  synchronized void decided(Decision<?> decision) {
    if (!measuring) {
      return;
    }
    decisions++;
    if (AdaptivePolicy.isFallback(decision.step())) {
      atFallback++;
    }
    Observation known = decision.observation();
    known.truth().ifPresent(this::add);
    Optional<ReadChoice> choice = decision.value(KnobId.READ_LEVEL);
    if (choice.equals(Optional.of(ReadChoice.of(1)))) {
      atOne++;
    }
    for (int i = 0; i < models.size(); i++) {
      Optional<StaleEstimate> estimate = models.get(i).estimate(known);
      if (estimate.isPresent()) {
        ofOne.get(i).add(estimate.get().rate(1));
        if (choice.isPresent()) {
          ofChoice.get(i).add(rate(estimate.get(), choice.get()));
        }
      }
    }
  }

  private void add(Observation.Truth truth) {
    canaryReads += truth.reads();
    canaryStale += truth.stale();
  }

  private double rate(StaleEstimate estimate, ReadChoice choice) {
    ToDoubleFunction<Integer> asked = read -> estimate.rate(levels.asked(read));
    double rate = asked.applyAsDouble(choice.replicas());
    return choice.shareAbove() == 0
        ? rate
        : (1 - choice.shareAbove()) * rate
            + choice.shareAbove() * asked.applyAsDouble(choice.replicas() + 1);
  }

  /** What a reader should know of a run that was at the fallback for long; most runs have none. */
  synchronized Optional<String> note() {
    double share = decisions == 0 ? 0 : (double) atFallback / decisions;
    return share <= LevelFigures.MUCH_FALLBACK
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "the policy was at its fallback for %.0f %% of its decisions in the measured window,"
                    + " for want of figures: give workload.warm-up twice monitor.window and three"
                    + " periods",
                share * 100));
  }

  /**
   * The figures.
   *
   * @param meanReplicas replicas that a read asked in the mean
   * @param monitorRequests requests that observing sent
   * @param monitorCpuSeconds CPU time that observing and deciding took
   */
  synchronized LevelFigures figures(
      OptionalDouble meanReplicas, long monitorRequests, double monitorCpuSeconds) {
    return new LevelFigures(
        meanReplicas,
        decisions,
        atOne,
        atFallback,
        monitorRequests,
        monitorCpuSeconds,
        estimates(ofOne),
        estimates(ofChoice),
        canaryReads,
        canaryStale);
  }

  private static LevelFigures.Estimates estimates(List<Mean> means) {
    return new LevelFigures.Estimates(
        means.get(0).value(), means.get(1).value(), means.get(2).value());
  }
}
