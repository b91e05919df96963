package org.calando.core.policy;

import java.util.function.Function;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.StaleEstimate;

/**
 * Decides on what probabilistically bounded staleness (Bailis et al. 2012) says of the lags that
 * were measured: of each replica, not of the last one. Immutable and thread safe.
 */
public final class PbsPolicy extends AdaptivePolicy {
  /** With the lags as they were measured. */
  public PbsPolicy(AdaptiveConfig config) {
    this(config, Estimates::pbs);
  }

  /** With another estimate of an observation that has rates, lags and popularity, such as WARS. */
  public PbsPolicy(AdaptiveConfig config, Function<Observation, StaleEstimate> model) {
    super(config, "pbs", true, model, LagModel.MEASURED);
  }

  @Override
  public String name() {
    return "pbs " + Words.percent(config().tolerated());
  }
}
