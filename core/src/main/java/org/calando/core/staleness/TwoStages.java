package org.calando.core.staleness;

/**
 * The sum of two independent exponential latencies. Immutable and thread safe; accurate also where
 * the two rates are nearly or quite the same.
 */
final class TwoStages {
  private final double slow;
  private final double fast;

  TwoStages(double rate, double otherRate) {
    this.slow = Math.min(rate, otherRate);
    this.fast = Math.max(rate, otherRate);
  }

  double mean() {
    return 1 / slow + 1 / fast;
  }

  /** The probability to take longer. */
  double beyond(double time) {
    return StrictMath.exp(-slow * time) * (1 + slow * gap(time));
  }

  /** The density. */
  double density(double time) {
    return slow * fast * StrictMath.exp(-slow * time) * gap(time);
  }

  /** (1 - exp(-(fast - slow) time)) / (fast - slow). */
  private double gap(double time) {
    double apart = (fast - slow) * time;
    return apart < 1e-300 ? time : time * Poisson.any(apart) / apart;
  }
}
