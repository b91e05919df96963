package org.calando.sim.scenario;

import java.util.Locale;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.BismarPolicy;
import org.calando.core.policy.BismarPrices;
import org.calando.core.policy.HarmonyExactPolicy;
import org.calando.core.policy.HarmonyPolicy;
import org.calando.core.policy.PbsPolicy;
import org.calando.core.policy.RationingPolicy;
import org.calando.core.policy.SafeLevel;

/**
 * The policies that promise a stale rate, as studies set them where a file does not say otherwise.
 * Bismar and rationing promise one only since a rate bounds them: without a bound Bismar goes by
 * efficiency alone, and rationing by the penalty.
 */
public enum Contender {
  /** Harmony as published: whole levels. */
  HARMONY,
  /** Harmony's model exact for each key, mixed levels. */
  EXACT,
  /** The same, whole levels. */
  EXACT_WHOLE,
  /** By measured lags, mixed levels. */
  PBS,
  /** The same, whole levels. */
  PBS_WHOLE,
  /** Bismar, bounded. */
  BISMAR,
  /** Rationing B, a stale read costing two reads, bounded. */
  RATIONING;

  private static final double PENALTY = 2;

  /**
   * The policy at its beginning.
   *
   * @param tolerated share of stale reads, 0 .. 1
   * @param safe the level at which no read is stale
   * @param local whether reads use LOCAL levels
   */
  public AdaptivePolicy policy(double tolerated, SafeLevel safe, boolean local) {
    AdaptiveConfig mixed = AdaptiveConfig.of(tolerated).withLevels(local, safe);
    AdaptiveConfig whole = mixed.withMixed(false);
    return switch (this) {
      case HARMONY ->
          new HarmonyPolicy(AdaptiveConfig.published(tolerated).withLevels(local, safe));
      case EXACT -> new HarmonyExactPolicy(mixed);
      case EXACT_WHOLE -> new HarmonyExactPolicy(whole);
      case PBS -> new PbsPolicy(mixed);
      case PBS_WHOLE -> new PbsPolicy(whole);
      case BISMAR -> new BismarPolicy(mixed, BismarPrices.WORK);
      case RATIONING -> new RationingPolicy(mixed, RationingPolicy.Category.B, PENALTY);
    };
  }

  /** As figures call it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
