package org.calando.core.policy.joint;

/**
 * How what is seen corrects what was predicted: to worse at once or fast, to better slowly, and
 * both within bounds. Stateless.
 */
final class Learning {
  private static final double LEAST = 1.0 / 8;
  private static final double MOST = 16;

  /** How fast a ratio that has become better is followed at each decision. */
  private static final double EASING = 0.1;

  /** The same of one that is noisy and has become worse. */
  private static final double RISING = 0.5;

  private Learning() {}

  /** A ratio that is followed at once where it is worse. */
  static double atOnce(double factor, double seen, double predicted) {
    return followed(factor, seen, predicted, 1);
  }

  /** One of noisy figures. */
  static double smoothed(double factor, double seen, double predicted) {
    return followed(factor, seen, predicted, RISING);
  }

  private static double followed(double factor, double seen, double predicted, double rising) {
    double wanted = factor * seen / predicted;
    if (!(seen > 0 && wanted > 0 && wanted < Double.POSITIVE_INFINITY)) {
      return factor;
    }
    double moved = factor + (wanted > factor ? rising : EASING) * (wanted - factor);
    return Math.min(MOST, Math.max(LEAST, moved));
  }
}
