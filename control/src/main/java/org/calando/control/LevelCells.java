package org.calando.control;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.AdaptiveState;
import org.calando.core.policy.Decision;
import org.calando.core.policy.HarmonyExactPolicy;
import org.calando.core.policy.HarmonyPolicy;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.LevelPicker;
import org.calando.core.policy.Observation;
import org.calando.core.policy.PbsPolicy;
import org.calando.core.policy.Policy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.ReadLevels;
import org.calando.core.policy.SafeLevel;
import org.calando.core.staleness.StaleEstimate;

/** What decisions.csv says of a decision on the level of reads, beside what it says of all. */
final class LevelCells {
  /** Its columns, in their order. */
  static final List<String> COLUMNS =
      List.of(
          "choice_replicas",
          "share_above",
          "mean_replicas",
          "level",
          "level_above",
          "reads_per_s",
          "writes_per_s",
          "write_bytes",
          "propagation_ms",
          "live_replicas",
          "harmony_one",
          "exact_one",
          "pbs_one",
          "harmony",
          "exact",
          "pbs",
          "tolerated",
          "factor",
          "truth_reads",
          "truth_stale",
          "truth_predicted");

  private static final double MILLIS_PER_SECOND = 1000;
  private static final double MOST_WHOLE = 1e15;

  private final ReadLevels levels;
  private final LevelPicker names;
  private final List<AdaptivePolicy> models;
  private final String tolerated;

  LevelCells(Policy<?> policy, ReadLevels levels, SafeLevel safe) {
    this.levels = levels;
    this.names = new LevelPicker(levels, safe);
    Optional<AdaptiveConfig> own =
        policy instanceof AdaptivePolicy adaptive
            ? Optional.of(adaptive.config())
            : Optional.empty();
    // Of the configuration only the age that figures may have matters here.
    AdaptiveConfig config = own.orElseGet(() -> AdaptiveConfig.of(1));
    this.models =
        List.of(new HarmonyPolicy(config), new HarmonyExactPolicy(config), new PbsPolicy(config));
    this.tolerated = own.map(asked -> number(asked.tolerated())).orElse("");
  }

  /** The cells by their columns; the others are empty. */
  Map<String, String> of(Decision<?> decision) {
    Observation o = decision.observation();
    Optional<ReadChoice> choice = decision.value(KnobId.READ_LEVEL);
    List<String> cells = new ArrayList<>();
    cells.addAll(choice.map(this::level).orElse(List.of("", "", "", "", "")));
    cells.addAll(figures(o));
    cells.addAll(estimates(o, choice));
    cells.add(tolerated);
    cells.add(
        decision.step().state() instanceof AdaptiveState state
            ? number(state.correctionFactor())
            : "");
    cells.addAll(truth(o));
    Map<String, String> byColumn = new HashMap<>();
    for (int i = 0; i < COLUMNS.size(); i++) {
      byColumn.put(COLUMNS.get(i), cells.get(i));
    }
    return byColumn;
  }

  private List<String> level(ReadChoice choice) {
    return List.of(
        String.valueOf(choice.replicas()),
        number(choice.shareAbove()),
        number(levels.mean(choice)),
        names.level(choice.replicas()).name(),
        choice.shareAbove() == 0 ? "" : names.level(choice.replicas() + 1).name());
  }

  private static List<String> figures(Observation o) {
    return List.of(
        o.rates().map(rates -> number(rates.readsPerSecond())).orElse(""),
        o.rates().map(rates -> number(rates.writesPerSecond())).orElse(""),
        o.rates().map(rates -> number(rates.meanWriteBytes())).orElse(""),
        o.lags().map(lags -> number(lags.sample().meanSeconds() * MILLIS_PER_SECOND)).orElse(""),
        String.valueOf(o.liveReplicas()));
  }

  /** Each model's rate for reads of one replica, then each one's for the choice. */
  private List<String> estimates(Observation o, Optional<ReadChoice> choice) {
    List<String> ofOne = new ArrayList<>();
    List<String> ofChoice = new ArrayList<>();
    for (AdaptivePolicy model : models) {
      Optional<StaleEstimate> estimate = model.estimate(o);
      ofOne.add(estimate.map(rates -> number(rates.rate(1))).orElse(""));
      ofChoice.add(
          estimate.flatMap(rates -> choice.map(chosen -> number(rate(rates, chosen)))).orElse(""));
    }
    ofOne.addAll(ofChoice);
    return ofOne;
  }

  /** Of the replicas that are asked, which are more than X where X has no level of its own. */
  private double rate(StaleEstimate estimate, ReadChoice choice) {
    double share = choice.shareAbove();
    double at = estimate.rate(asked(estimate, choice.replicas()));
    return share == 0
        ? at
        : (1 - share) * at + share * estimate.rate(asked(estimate, choice.replicas() + 1));
  }

  private int asked(StaleEstimate estimate, int read) {
    return Math.min(levels.asked(read), estimate.replicas());
  }

  private static List<String> truth(Observation o) {
    return o.truth()
        .map(
            truth ->
                List.of(
                    String.valueOf(truth.reads()),
                    String.valueOf(truth.stale()),
                    number(truth.predicted())))
        .orElse(List.of("", "", ""));
  }

  /** So that reading it gives the same number; empty for what is not a number. */
  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "";
    }
    return value == Math.rint(value) && Math.abs(value) < MOST_WHOLE
        ? String.valueOf((long) value)
        : String.valueOf(value);
  }
}
