package org.calando.core.policy;

import java.util.function.Function;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.StaleEstimate;

/**
 * Harmony's decision on the exact stale rate of its own model, per key over their popularity and
 * for any W. Immutable and thread safe.
 */
public final class HarmonyExactPolicy extends AdaptivePolicy {
  /** With the exact estimate. */
  public HarmonyExactPolicy(AdaptiveConfig config) {
    this(config, Estimates::exact);
  }

  /** With another estimate of an observation that has rates, lags and popularity. */
  public HarmonyExactPolicy(AdaptiveConfig config, Function<Observation, StaleEstimate> model) {
    super(config, "exact", true, model, LagModel.LAST);
  }

  @Override
  public String name() {
    return "harmony-exact " + Words.percent(config().tolerated());
  }
}
