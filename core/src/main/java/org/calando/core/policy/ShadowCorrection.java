package org.calando.core.policy;

import org.calando.core.policy.Observation.Shadow;

/*
 * An estimate takes what it does not know to be as bad as it can be: writes whose keys nobody saw
 * fall where they do most harm. Shadow reads say how much too bad that is: s of n were stale where the
 * estimate said p, so the factor lies between lower(s) / p and upper(bound) / p, with 95 % each. What
 * lies in between stays as it was. So the lower end alarms and the upper end eases, and few reads
 * change nothing. What not even the greatest factor explains, as where the estimate says 0, is added.
 */
/**
 * How shadow reads correct an estimate of stale reads. Immutable and thread safe.
 *
 * @param factor what rates are multiplied by, above 0
 * @param excess what is added to them after that, 0 or more
 */
public record ShadowCorrection(double factor, double excess) {
  /** Nothing known. */
  static final ShadowCorrection NONE = new ShadowCorrection(1, 0);

  /** A table of which no read was stale is read at ONE, however bad the estimate is. */
  private static final double LEAST = 1e-3;

  /** Checks the ranges. */
  public ShadowCorrection {
    if (!(factor > 0 && excess >= 0)) {
      throw new IllegalArgumentException("shadow correction of %s, %s".formatted(factor, excess));
    }
  }

  /** A rate, corrected. */
  double corrected(double rate) {
    return Math.min(1, factor * rate + excess);
  }

  /** Lets the correction fade for some time without shadow reads. */
  ShadowCorrection faded(long nanos, AdaptiveConfig config) {
    double left = StrictMath.exp(-(double) nanos / config.forgetNanos());
    return new ShadowCorrection(StrictMath.pow(factor, left), excess * left);
  }

  /** The correction nearest to this one that shadow reads do not speak against. */
  ShadowCorrection with(Shadow shadow, AdaptiveConfig config) {
    if (shadow.reads() <= 0) {
      return this;
    }
    double predicted = Math.max(shadow.predicted(), 1e-9);
    double fewest = Correction.lower(shadow.stale(), Correction.Z95);
    double most = Correction.upper(shadow.bound(), Correction.Z95) / predicted;
    double nearest = Math.max(fewest / predicted, Math.min(factor, most));
    return new ShadowCorrection(
        Math.min(config.maxFactor(), Math.max(LEAST, nearest)),
        Math.max(0, fewest - config.maxFactor() * shadow.predicted()) / shadow.reads());
  }
}
