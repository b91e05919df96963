package org.calando.core.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.calando.core.policy.Observation.Popularity;
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
  /** Keys on which unseen writes fall, at most. */
  private static final int MOST_HOT = 4096;

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
    return atWorst(
        o,
        byKey ->
            ExactStaleness.measured(lags(o), o.writeReplicas(), rates(o).writesPerSecond(), byKey));
  }

  /** Measured lags, per key. */
  static StaleEstimate pbs(Observation o) {
    return atWorst(
        o, byKey -> LagStaleness.of(lags(o).windows(), rates(o).writesPerSecond(), byKey));
  }

  /**
   * Writes whose keys nobody saw fall where they do most harm. Many writes of one key do no more
   * than few of it, so that this is not always the hottest key alone.
   */
  private static StaleEstimate atWorst(
      Observation o, Function<KeyPopularity, StaleEstimate> estimate) {
    Popularity popularity = o.popularity().orElseThrow();
    if (popularity.unseenWrites() == 0) {
      return estimate.apply(popularity.byKey());
    }
    List<StaleEstimate> cases = new ArrayList<>();
    for (int hottest = 1; hottest <= MOST_HOT; hottest *= 2) {
      cases.add(estimate.apply(popularity.byKey().withUnseen(popularity.unseenWrites(), hottest)));
    }
    return new WorstOf(cases);
  }

  /** For each number of replicas the worst of several estimates. */
  private record WorstOf(List<StaleEstimate> cases) implements StaleEstimate {
    @Override
    public int replicas() {
      return cases.get(0).replicas();
    }

    @Override
    public double rate(int read) {
      return cases.stream().mapToDouble(each -> each.rate(read)).max().orElseThrow();
    }
  }

  private static Rates rates(Observation o) {
    return o.rates().orElseThrow();
  }

  private static PropagationLags lags(Observation o) {
    return o.lags().orElseThrow().sample();
  }
}
