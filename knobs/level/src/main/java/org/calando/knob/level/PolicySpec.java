package org.calando.knob.level;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.BismarPolicy;
import org.calando.core.policy.BismarPrices;
import org.calando.core.policy.HarmonyExactPolicy;
import org.calando.core.policy.HarmonyPolicy;
import org.calando.core.policy.PbsPolicy;
import org.calando.core.policy.RationingPolicy;
import org.calando.core.policy.SafeLevel;
import org.calando.schema.Units;

/**
 * A policy that decides the level of reads while a run goes.
 *
 * <p>Immutable and thread safe.
 *
 * @param kind which policy
 * @param tolerated share of stale reads that is tolerated, 0 .. 1
 * @param mixed whether a share of the reads may ask one replica more than the rest
 * @param margin part of what is tolerated that is left free, 0 or more and less than 1
 * @param category of rationing: what inconsistency costs
 * @param penalty of rationing B: what a stale read costs, over a read of one replica
 * @param prices of Bismar, as far as they are given
 * @param propagationNanos of Harmony as published: Tp, if it is given instead of measured
 */
record PolicySpec(
    Kind kind,
    double tolerated,
    boolean mixed,
    double margin,
    Optional<RationingPolicy.Category> category,
    double penalty,
    Optional<Prices> prices,
    Optional<Long> propagationNanos) {

  /**
   * Prices of Bismar.
   *
   * @param name what results call them
   * @param values the prices
   */
  record Prices(String name, BismarPrices values) {}

  /** The policies that there are. */
  enum Kind {
    HARMONY("harmony"),
    HARMONY_EXACT("harmony-exact"),
    PBS("pbs"),
    BISMAR("bismar"),
    RATIONING("rationing");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** Its key in files and its name in results. */
    String label() {
      return label;
    }
  }

  /** Whether levels are mixed where the file does not say. */
  static boolean mixedByDefault(Kind kind) {
    return kind != Kind.HARMONY;
  }

  /** The margin where the file does not say. */
  static double marginByDefault(Kind kind) {
    return kind == Kind.HARMONY ? 0 : 0.1;
  }

  /** What results call it: the name, what is tolerated, and what is not as usual. */
  String label() {
    List<String> parts = new ArrayList<>();
    category.ifPresent(each -> parts.add(each.name()));
    if (category.equals(Optional.of(RationingPolicy.Category.B))) {
      parts.add("penalty " + Units.formatNumber(penalty));
    }
    if (category.isEmpty() || tolerated < 1) {
      parts.add(percent(tolerated));
    }
    if (mixed != mixedByDefault(kind)) {
      parts.add(mixed ? "mixed" : "whole");
    }
    if (margin != marginByDefault(kind)) {
      parts.add("margin " + percent(margin));
    }
    prices.ifPresent(each -> parts.add(each.name()));
    propagationNanos.ifPresent(nanos -> parts.add("Tp " + Units.formatNanos(nanos)));
    return kind.label() + "(" + String.join(", ", parts) + ")";
  }

  private static String percent(double share) {
    return Units.formatNumber(Math.rint(share * 1e8) / 1e6) + "%";
  }

  /**
   * The policy itself, at its beginning.
   *
   * @param safe the level at which no read is stale
   * @param local whether reads use LOCAL levels
   */
  AdaptivePolicy policy(SafeLevel safe, boolean local) {
    AdaptiveConfig config =
        (kind == Kind.HARMONY ? AdaptiveConfig.published(tolerated) : AdaptiveConfig.of(tolerated))
            .withMargin(margin)
            .withMixed(mixed)
            .withLevels(local, safe);
    return switch (kind) {
      case HARMONY ->
          propagationNanos
              .map(nanos -> HarmonyPolicy.withPropagation(config, nanos / 1e9))
              .orElseGet(() -> new HarmonyPolicy(config));
      case HARMONY_EXACT -> new HarmonyExactPolicy(config);
      case PBS -> new PbsPolicy(config);
      case BISMAR -> new BismarPolicy(config, prices.map(Prices::values).orElse(BismarPrices.WORK));
      case RATIONING -> new RationingPolicy(config, category.orElseThrow(), penalty);
    };
  }
}
