package org.calando.core.policy;

import java.util.Optional;
import org.calando.core.policy.Observation.Costs;
import org.calando.core.policy.Observation.Lags;
import org.calando.core.policy.Observation.Rates;
import org.calando.core.policy.Observation.Shadow;
import org.calando.core.policy.Observation.Truth;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.staleness.StaleEstimate;

/** Whether a policy may decide on the figures of an observation. */
final class Figures {
  private Figures() {}

  /**
   * Why a decision cannot be made from the figures.
   *
   * @param popularity whether it needs to know how requests spread over the keys
   * @return empty if all that is needed is there, makes sense, and is of late
   */
  static Optional<String> obstacle(Observation o, AdaptiveConfig config, boolean popularity) {
    return rates(o, config)
        .or(() -> lags(o, config))
        .or(() -> popularity ? popularity(o, config) : Optional.empty())
        .or(() -> o.truth().flatMap(Figures::nonsense))
        .or(() -> o.liveReplicas() == 0 ? Optional.of("no replica answers") : Optional.empty());
  }

  /** Why an estimate cannot be used. */
  static Optional<String> obstacle(StaleEstimate estimate, Observation o) {
    if (estimate.replicas() != o.replicas()) {
      return Optional.of(
          "the estimate is of %d replicas, not %d".formatted(estimate.replicas(), o.replicas()));
    }
    for (int read = 1; read <= o.replicas(); read++) {
      double rate = estimate.rate(read);
      if (!(rate >= 0 && rate <= 1)) {
        return Optional.of("the estimate says a rate of " + rate + " at " + Words.replicas(read));
      }
    }
    return Optional.empty();
  }

  /** Canary reads that are of late and make sense. */
  static Optional<Truth> truth(Observation o, AdaptiveConfig config) {
    return o.truth()
        .filter(truth -> age("", truth.atNanos(), o, config).isEmpty())
        .filter(truth -> nonsense(truth).isEmpty());
  }

  /** Shadow reads that are of late and make sense. */
  static Optional<Shadow> shadow(Observation o, AdaptiveConfig config) {
    return o.shadow()
        .filter(shadow -> age("", shadow.atNanos(), o, config).isEmpty())
        .filter(
            shadow ->
                shadow.stale() >= 0
                    && shadow.bound() >= shadow.stale()
                    && shadow.reads() >= shadow.bound()
                    && shadow.predicted() >= 0);
  }

  /**
   * The greatest share of reads of one replica, with 95 %, that miss what was written before late
   * replicas came back; 1 if nobody looked.
   */
  static double missed(Observation o, AdaptiveConfig config) {
    return o.missed()
        .filter(missed -> age("", missed.atNanos(), o, config).isEmpty())
        .filter(missed -> missed.missed() >= 0 && missed.reads() >= missed.missed())
        .map(missed -> Correction.upper((double) missed.missed(), Correction.Z95) / missed.reads())
        .filter(share -> share < 1)
        .orElse(1.0);
  }

  /**
   * What a read of some replicas costs over one of a single replica: as measured of late, else the
   * number of replicas.
   *
   * @param read replicas, 1 or more; more than there are count as all
   */
  static double relativeCost(int read, Observation o, AdaptiveConfig config) {
    return measuredCosts(o, config)
        .map(costs -> costs.relative().get(Math.min(read, o.replicas()) - 1))
        .orElse((double) read);
  }

  /** Costs that were measured of late and make sense. */
  static Optional<Costs> measuredCosts(Observation o, AdaptiveConfig config) {
    return o.costs()
        .filter(costs -> age("", costs.atNanos(), o, config).isEmpty())
        .filter(costs -> costs.relative().size() == o.replicas())
        .filter(costs -> costs.relative().stream().allMatch(cost -> cost > 0 && cost < 1e9));
  }

  private static Optional<String> rates(Observation o, AdaptiveConfig config) {
    if (o.rates().isEmpty()) {
      return Optional.of("the rates of reads and writes are unknown");
    }
    Rates rates = o.rates().get();
    return isAmount(rates.readsPerSecond()) && isAmount(rates.writesPerSecond())
        ? age("the rates are", rates.atNanos(), o, config)
        : Optional.of(
            "the rates make no sense: %s reads and %s writes a second"
                .formatted(rates.readsPerSecond(), rates.writesPerSecond()));
  }

  private static Optional<String> lags(Observation o, AdaptiveConfig config) {
    if (o.lags().isEmpty()) {
      return Optional.of("it is unknown how long writes take to reach replicas");
    }
    Lags lags = o.lags().get();
    PropagationLags sample = lags.sample();
    return sample.replicas() == o.replicas()
        ? age("the lags of replicas are", lags.atNanos(), o, config)
        : Optional.of(
            "the lags are of %d replicas, not %d".formatted(sample.replicas(), o.replicas()));
  }

  private static Optional<String> popularity(Observation o, AdaptiveConfig config) {
    return o.popularity()
        .map(popularity -> age("the spread over keys is", popularity.atNanos(), o, config))
        .orElse(Optional.of("it is unknown how requests spread over the keys"));
  }

  private static Optional<String> nonsense(Truth truth) {
    boolean sound =
        truth.stale() >= 0
            && truth.stale() <= truth.reads()
            && truth.predicted() >= 0
            && truth.predicted() <= truth.reads();
    return sound
        ? Optional.empty()
        : Optional.of(
            "the canary's reads make no sense: %d stale of %d, %s predicted"
                .formatted(truth.stale(), truth.reads(), truth.predicted()));
  }

  private static Optional<String> age(
      String what, long atNanos, Observation o, AdaptiveConfig config) {
    long age = o.atNanos() - atNanos;
    if (age < 0) {
      return Optional.of(what + " of " + Words.seconds(-age) + " in the future");
    }
    return age <= config.maxAgeNanos()
        ? Optional.empty()
        : Optional.of(
            "%s %s old, and may be %s"
                .formatted(what, Words.seconds(age), Words.seconds(config.maxAgeNanos())));
  }

  private static boolean isAmount(double value) {
    return value >= 0 && value < Double.POSITIVE_INFINITY;
  }
}
