package org.calando.core.policy;

import org.calando.core.policy.Observation.Truth;

/*
 * Canary reads tell how many of n were stale, s, where the model said p. If reads were independent,
 * s would be Poisson distributed about c p, and c is what corrects the model. They are not quite
 * (one slow replica makes many reads stale), so the evidence is kept for some time only.
 *
 *   factor     c tends to likely(s) / p, as far as there is evidence: (likely(s) / p)^(w), with
 *              w = e / (e + 10) and e = max(s, p), so that a few probes leave it near 1. It is a
 *              mean that s speaks for and not a bound of it: care is the margin's part, which is
 *              the same with few probes and with many.
 *   stricter   at once, where the newest reads alone are too many for c: lower(s) > c p, with 99.9 %,
 *              for one false alarm takes a dozen decisions to ease. What was known before is
 *              then dropped, for something has changed.
 *   easier     at once to what the reads remembered leave possible, upper(s) / p with 99.9 %;
 *              below that by no more than 5 % for each set of reads.
 *   excess     what not even the greatest factor explains, as where the model says 0: a rate that
 *              is added to the model's.
 *
 * Without new reads both fade: a policy that was driven to a strong level by mistake tries again
 * after a while, for there canary reads prove little.
 *
 * Both are Wilson and Hilferty's cube root approximation of the chi-square quantiles that bound a
 * Poisson mean: likely the median, lower with a normal quantile.
 */
/**
 * How canary reads correct an estimate of stale reads. Immutable and thread safe.
 *
 * @param factor what rates are multiplied by, above 0
 * @param excess what is added to them after that, 0 or more
 * @param stale stale canary reads remembered, 0 or more; they fade, so they are not whole
 * @param predicted how many of them were predicted, 0 or more
 * @param seenNanos time of the newest canary read that was taken in
 */
public record Correction(
    double factor, double excess, double stale, double predicted, long seenNanos) {
  /** Nothing known. */
  public static final Correction NONE = new Correction(1, 0, 0, 0, Long.MIN_VALUE);

  private static final double HALF_EVIDENCE = 10;
  private static final double EASING = 0.95;

  /** The normal distribution's 90th percentile. */
  static final double Z90 = 1.2815515655446004;

  /** Its 95th percentile. */
  static final double Z95 = 1.6448536269514722;

  /** Its 99.9th percentile. */
  static final double Z999 = 3.090232306167813;

  public Correction {
    if (!(factor > 0 && excess >= 0 && stale >= 0 && predicted >= 0)) {
      throw new IllegalArgumentException(
          "correction %s, %s of %s, %s".formatted(factor, excess, stale, predicted));
    }
  }

  /** A rate that the model told, corrected. */
  public double corrected(double rate) {
    return Math.min(1, factor * rate + excess);
  }

  /** Lets the correction fade for some time without evidence. */
  public Correction faded(long nanos, AdaptiveConfig config) {
    double left = StrictMath.exp(-(double) nanos / config.forgetNanos());
    return new Correction(
        bounded(StrictMath.pow(factor, left), config),
        excess * left,
        stale * left,
        predicted * left,
        seenNanos);
  }

  /** Takes in canary reads, unless they were taken in before. */
  public Correction with(Truth truth, AdaptiveConfig config) {
    if (truth.atNanos() == seenNanos || truth.reads() == 0) {
      return this;
    }
    boolean worse =
        lower((double) truth.stale(), Z999) > factor * truth.predicted() + excess * truth.reads();
    double allStale = truth.stale() + (worse ? 0 : stale);
    double allPredicted = truth.predicted() + (worse ? 0 : predicted);
    double target = target(allStale, allPredicted);
    double possible = upper(allStale, Z999) / Math.max(allPredicted, 1e-9);
    double moved =
        worse
            ? Math.max(factor, target)
            : Math.max(Math.min(factor * EASING, Math.max(1, possible)), target);
    boolean evidence = allPredicted > 0 || truth.stale() > 0;
    return new Correction(
        evidence ? bounded(moved, config) : factor,
        worse ? Math.max(excess, unexplained(truth, config)) : evidence ? excess * EASING : excess,
        allStale,
        allPredicted,
        truth.atNanos());
  }

  private static double unexplained(Truth truth, AdaptiveConfig config) {
    double left = lower((double) truth.stale(), Z90) - config.maxFactor() * truth.predicted();
    return config.maxFactor() == 1 ? 0 : Math.max(0, left / truth.reads());
  }

  private static double target(double stale, double predicted) {
    double evidence = Math.max(stale, predicted);
    double weight = evidence / (evidence + HALF_EVIDENCE);
    return StrictMath.pow(likely(stale) / Math.max(predicted, 1e-9), weight);
  }

  private static double bounded(double factor, AdaptiveConfig config) {
    return Math.min(config.maxFactor(), Math.max(config.minFactor(), factor));
  }

  /** The mean of which so many events, or fewer, are as probable as more; above 0. */
  static double likely(double events) {
    double n = events + 1;
    double root = 1 - 1 / (9 * n);
    return n * root * root * root;
  }

  /** The greatest mean that so many events do not speak against, with a normal quantile. */
  static double upper(double events, double z) {
    double n = events + 1;
    double root = 1 - 1 / (9 * n) + z / (3 * Math.sqrt(n));
    return n * root * root * root;
  }

  /** The least mean that so many events do not speak against, with a normal quantile. */
  static double lower(double events, double z) {
    if (events <= 0) {
      return 0;
    }
    double root = 1 - 1 / (9 * events) - z / (3 * Math.sqrt(events));
    return root <= 0 ? 0 : events * root * root * root;
  }
}
