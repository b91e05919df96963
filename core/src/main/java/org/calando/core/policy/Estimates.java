package org.calando.core.policy;

import org.calando.core.policy.Observation.Rates;
import org.calando.core.staleness.ExactStaleness;
import org.calando.core.staleness.Harmony;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.LagStaleness;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.staleness.StaleEstimate;

/**
 * From an observation that has all the figures to each model's estimate: the one place where
 * policies meet the models.
 */
final class Estimates {
  private Estimates() {}

  /** Harmony as published: the table's rates as if of one key, mean Tp, whatever W is. */
  static StaleEstimate harmony(Observation o) {
    return harmony(o, lags(o).meanSeconds());
  }

  /** The same with a Tp that is given, as the paper has it from the network's latency. */
  static StaleEstimate harmony(Observation o, double tpSeconds) {
    return new Harmony(
        o.replicas(), rates(o).readsPerSecond(), rates(o).writesPerSecond(), tpSeconds);
  }

  /** The exact model per key, with the Tp of each sampled write, and W. */
  static StaleEstimate exact(Observation o) {
    return ExactStaleness.measured(
        lags(o), o.writeReplicas(), rates(o).writesPerSecond(), popularity(o));
  }

  /** Measured lags, per key. */
  static StaleEstimate pbs(Observation o) {
    return LagStaleness.of(lags(o).windows(), rates(o).writesPerSecond(), popularity(o));
  }

  private static Rates rates(Observation o) {
    return o.rates().orElseThrow();
  }

  private static PropagationLags lags(Observation o) {
    return o.lags().orElseThrow().sample();
  }

  private static KeyPopularity popularity(Observation o) {
    return o.popularity().orElseThrow().byKey();
  }
}
