package org.calando.core.policy;

import java.util.function.Function;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.StaleEstimate;

/**
 * Harmony as published (Chihoub et al. 2012, section III): ONE where equation 6 is within what is
 * tolerated, else the replicas of equation 8. Immutable and thread safe.
 *
 * <p>The rates are the table's, as if it had one key, so that it reads far more replicas than it
 * needs; it knows nothing of W but the level at which reads are safe, above which it does not go.
 */
public final class HarmonyPolicy extends AdaptivePolicy {
  /** With the published estimate. */
  public HarmonyPolicy(AdaptiveConfig config) {
    this(config, Estimates::harmony);
  }

  /** With another estimate of an observation that has rates and lags. */
  public HarmonyPolicy(AdaptiveConfig config, Function<Observation, StaleEstimate> model) {
    super(config, "harmony", false, model, LagModel.MEASURED);
  }

  /**
   * With the published estimate of a Tp that is given. The paper has it from the network's latency,
   * which knows nothing of what waits at nodes.
   *
   * @param tpSeconds time that a write takes to reach every replica, 0 or more
   */
  public static HarmonyPolicy withPropagation(AdaptiveConfig config, double tpSeconds) {
    return new HarmonyPolicy(config, o -> Estimates.harmony(o, tpSeconds));
  }

  @Override
  public String name() {
    return "harmony " + Words.percent(config().tolerated());
  }
}
