package org.calando.core.policy;

import java.util.StringJoiner;
import java.util.function.Function;
import org.calando.core.policy.Observation.Rates;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.StaleEstimate;

/**
 * Bismar (Chihoub et al., CCGrid): of the levels whose stale rate is tolerated, the one with the
 * greatest consistency-cost efficiency, the share of fresh reads over the relative cost. Immutable
 * and thread safe. docs/papers/bismar.md says what was reconstructed.
 *
 * <p>The relative cost of X replicas is what the table costs a second when all reads ask X, over
 * what it costs when all ask one. Tolerating 100 % leaves the choice to efficiency alone.
 */
public final class BismarPolicy extends AdaptivePolicy {
  private final BismarPrices prices;

  /** With the exact estimate. */
  public BismarPolicy(AdaptiveConfig config, BismarPrices prices) {
    this(config, prices, Estimates::exact);
  }

  /** With another estimate of an observation that has rates, lags and popularity. */
  public BismarPolicy(
      AdaptiveConfig config, BismarPrices prices, Function<Observation, StaleEstimate> model) {
    super(config, "bismar", true, model, LagModel.LAST);
    this.prices = prices;
  }

  @Override
  public String name() {
    return "bismar " + Words.percent(config().tolerated());
  }

  @Override
  ReadChoice choose(ReadSteps steps, Observation o, double allowed) {
    // The cheapest that is tolerated, which may be mixed; then whole levels, for between two of
    // them efficiency only rises or only falls.
    ReadChoice best = steps.cheapest(allowed, config().mixed());
    for (int step = 0; step < steps.count(); step++) {
      ReadChoice choice = steps.at(step);
      if (steps.mean(choice) > steps.mean(best)
          && efficiency(steps, o, choice) > efficiency(steps, o, best)) {
        best = choice;
      }
    }
    return best;
  }

  @Override
  String grounds(ReadSteps steps, Observation o) {
    StringJoiner text = new StringJoiner(", ");
    for (int step = 0; step < steps.count(); step++) {
      text.add(
          "%s at %d"
              .formatted(Words.number(efficiency(steps, o, steps.at(step))), steps.replicas(step)));
    }
    return super.grounds(steps, o) + "; efficiency " + text;
  }

  private double efficiency(ReadSteps steps, Observation o, ReadChoice choice) {
    double one = costPerSecond(1, o);
    double cost = steps.between(replicas -> costPerSecond(replicas, o), choice);
    return (1 - steps.rate(choice)) / (one > 0 ? cost / one : 1);
  }

  private double costPerSecond(int read, Observation o) {
    Rates rates = o.rates().orElseThrow();
    return prices.perSecond(
        Math.min(read, o.replicas()),
        Figures.relativeCost(read, o, config()),
        rates.readsPerSecond(),
        rates.writesPerSecond(),
        o.replicas(),
        rates.meanWriteBytes());
  }
}
