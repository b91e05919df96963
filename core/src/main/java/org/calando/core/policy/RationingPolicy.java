package org.calando.core.policy;

import java.util.List;
import java.util.StringJoiner;
import java.util.function.Function;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.StaleEstimate;

/**
 * Consistency rationing (Kraska et al. 2009): strong reads where inconsistency is never acceptable,
 * weak ones where it does not matter, and between them as many replicas as cost less than the
 * penalties that they save. Immutable and thread safe. docs/papers/rationing.md says what was
 * reconstructed.
 */
public final class RationingPolicy extends AdaptivePolicy {
  private final Category category;
  private final double penalty;

  /** What inconsistency of a table's data costs. */
  public enum Category {
    /** More than any saving: reads are safe. */
    A,
    /** A penalty for each stale read: reads are as strong as that is worth. */
    B,
    /** Nothing: reads ask one replica. */
    C
  }

  /**
   * With the exact estimate.
   *
   * @param penalty what a stale read costs, over what a read of one replica costs, 0 or more; used
   *     in category B only. The stale rate that the configuration tolerates is a bound besides
   */
  public RationingPolicy(AdaptiveConfig config, Category category, double penalty) {
    this(config, category, penalty, Estimates::exact);
  }

  /** With another estimate of an observation that has rates, lags and popularity. */
  public RationingPolicy(
      AdaptiveConfig config,
      Category category,
      double penalty,
      Function<Observation, StaleEstimate> model) {
    super(config, "rationing " + category, true, model, LagModel.LAST);
    if (!(penalty >= 0) || Double.isInfinite(penalty)) {
      throw new IllegalArgumentException("penalty of " + penalty);
    }
    this.category = category;
    this.penalty = penalty;
  }

  @Override
  public String name() {
    return category == Category.B
        ? "rationing B " + Words.number(penalty)
        : "rationing " + category;
  }

  @Override
  public Step<AdaptiveState> decide(AdaptiveState state, Observation o) {
    return switch (category) {
      case A -> safe(state.advancedTo(o, config()), o, "always strong");
      case B -> super.decide(state, o);
      case C -> {
        ReadChoice one = ReadChoice.of(1);
        yield step(
            state.advancedTo(o, config()).choosing(one),
            o,
            one,
            List.of("rationing C: always weak: 1 replica"));
      }
    };
  }

  @Override
  boolean needsFigures() {
    return category == Category.B && super.needsFigures();
  }

  @Override
  ReadChoice choose(ReadSteps steps, Observation o, double allowed) {
    // Between two levels the expected cost is a straight line, so that only the bound is mixed.
    ReadChoice best = steps.cheapest(allowed, config().mixed());
    for (int step = 0; step < steps.count(); step++) {
      ReadChoice choice = steps.at(step);
      if (steps.mean(choice) > steps.mean(best)
          && expectedCost(steps, o, choice) < expectedCost(steps, o, best)) {
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
              .formatted(
                  Words.number(expectedCost(steps, o, steps.at(step))), steps.replicas(step)));
    }
    return super.grounds(steps, o) + "; cost and penalty of a read " + text;
  }

  /** Of a read, over that of one replica without penalty. */
  private double expectedCost(ReadSteps steps, Observation o, ReadChoice choice) {
    double cost = steps.between(replicas -> Figures.relativeCost(replicas, o, config()), choice);
    return cost + steps.rate(choice) * penalty;
  }
}
