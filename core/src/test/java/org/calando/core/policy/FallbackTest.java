package org.calando.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.calando.core.policy.Observation.Lags;
import org.calando.core.policy.Observation.Popularity;
import org.calando.core.policy.Observation.Rates;
import org.calando.core.policy.Observation.Truth;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;
import org.junit.jupiter.api.Test;

/** When a policy is at the fallback, by what it says itself. */
class FallbackTest {
  private static final long NOW = 100_000_000_000L;

  private static Observation observation(
      Optional<Rates> rates, Optional<Lags> lags, Optional<Popularity> popularity, int live) {
    return observation(rates, lags, popularity, live, Optional.empty());
  }

  private static Observation observation(
      Optional<Rates> rates,
      Optional<Lags> lags,
      Optional<Popularity> popularity,
      int live,
      Optional<Truth> truth) {
    return new Observation(
        NOW,
        "shop.orders",
        3,
        1,
        live,
        0,
        rates,
        lags,
        popularity,
        truth,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  private static Optional<Rates> rates(long age, double reads) {
    return Optional.of(new Rates(NOW - age, reads, 10, 100));
  }

  private static Optional<Lags> lags(long age, int replicas) {
    return Optional.of(
        new Lags(NOW - age, PropagationLags.of(replicas, new double[][] {new double[replicas]})));
  }

  private static Optional<Popularity> popularity(long age) {
    return Optional.of(new Popularity(NOW - age, KeyPopularity.uniform(100), 0));
  }

  @Test
  void itIsAtTheFallbackForEachFigureThatIsUnknown() {
    long old = 60_000_000_000L;
    Map<String, Observation> unknown =
        Map.of(
            "the rates of reads and writes are unknown",
            observation(Optional.empty(), lags(0, 3), popularity(0), 3),
            "the rates make no sense",
            observation(rates(0, Double.NaN), lags(0, 3), popularity(0), 3),
            "the rates are 60 s old",
            observation(rates(old, 10), lags(0, 3), popularity(0), 3),
            "it is unknown how long writes take to reach replicas",
            observation(rates(0, 10), Optional.empty(), popularity(0), 3),
            "the lags are of 2 replicas, not 3",
            observation(rates(0, 10), lags(0, 2), popularity(0), 3),
            "the lags of replicas are 60 s old",
            observation(rates(0, 10), lags(old, 3), popularity(0), 3),
            "it is unknown how requests spread over the keys",
            observation(rates(0, 10), lags(0, 3), Optional.empty(), 3),
            "the spread over keys is 60 s old",
            observation(rates(0, 10), lags(0, 3), popularity(old), 3),
            "no replica answers",
            observation(rates(0, 10), lags(0, 3), popularity(0), 0),
            "the canary's reads make no sense",
            observation(
                rates(0, 10), lags(0, 3), popularity(0), 3, Optional.of(new Truth(NOW, 1, 2, 0))));
    unknown.forEach(
        (why, observation) -> {
          PbsPolicy policy = new PbsPolicy(AdaptiveConfig.of(0.05));
          Step<AdaptiveState> step = policy.decide(policy.initial(), observation);
          assertThat(step.reasons().get(0)).contains(why, ": the fallback, 2 replicas");
          assertThat(policy.isFallback(step.state(), observation)).as(why).isTrue();
        });
  }

  @Test
  void itIsNotWhereAllIsKnownOrNothingNeedBe() {
    Observation known = observation(rates(0, 10), lags(0, 3), popularity(0), 3);
    PbsPolicy pbs = new PbsPolicy(AdaptiveConfig.of(0.05));
    Step<AdaptiveState> step = pbs.decide(pbs.initial(), known);
    assertThat(step.reasons().get(0)).doesNotContain("the fallback");
    assertThat(pbs.isFallback(step.state(), known)).isFalse();
    Observation nothing = observation(Optional.empty(), Optional.empty(), Optional.empty(), 3);
    PbsPolicy exact = new PbsPolicy(AdaptiveConfig.of(0));
    Step<AdaptiveState> safe = exact.decide(exact.initial(), nothing);
    assertThat(safe.reasons().get(0)).contains("the safe 3 replicas");
    assertThat(exact.isFallback(safe.state(), nothing)).isFalse();
  }
}
