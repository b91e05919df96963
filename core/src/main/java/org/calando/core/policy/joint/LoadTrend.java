package org.calando.core.policy.joint;

/*
 * Past loads weigh exp(-age / tau), tau half the time over which is looked ahead. All times are
 * before the last load, so sums move along with it. Of a load that comes at random and does not
 * grow the slope differs from 0, too: only what is beyond three of its standard errors counts, and
 * only once loads of a time of about tau are known.
 *
 * The level is smoothed, but for a load that is above it by more than four standard deviations of
 * Poisson counts: a step is followed at once, and what was before says nothing of what comes.
 */
/**
 * The load and its growth, by weighted regression. Immutable and thread safe.
 *
 * @param level operations a second, smoothed; 0 if never told
 * @param n weights of the loads that are remembered
 * @param t weighted sum of their times in seconds, the last at 0
 * @param tt of the times' squares
 * @param y of the loads
 * @param ty of times and loads
 * @param yy of the loads' squares
 */
public record LoadTrend(
    double level, double n, double t, double tt, double y, double ty, double yy) {
  /** Nothing known. */
  static final LoadTrend NONE = new LoadTrend(0, 0, 0, 0, 0, 0, 0);

  private static final double SMOOTHING = 0.3;
  private static final double STEP_DEVIATIONS = 4;
  private static final double ERRORS = 3;
  private static final double FEWEST = 10;
  private static final double SHORTEST_SECONDS = 10;

  private static double memorySeconds(double aheadSeconds) {
    return Math.max(SHORTEST_SECONDS, aheadSeconds / 2);
  }

  /**
   * Takes in a load.
   *
   * @param perSecond operations a second
   * @param seconds since the last; 0 if that is not known
   * @param aheadSeconds over which is looked ahead
   */
  LoadTrend with(double perSecond, double seconds, double aheadSeconds) {
    boolean steps =
        seconds <= 0
            || level == 0
            || perSecond > level + STEP_DEVIATIONS * Math.sqrt(Math.max(1, level) / seconds);
    if (steps) {
      return new LoadTrend(perSecond, 1, 0, 0, perSecond, 0, perSecond * perSecond);
    }
    double left = StrictMath.exp(-seconds / memorySeconds(aheadSeconds));
    return new LoadTrend(
        level + SMOOTHING * (perSecond - level),
        left * n + 1,
        left * (t - seconds * n),
        left * (tt - 2 * seconds * t + seconds * seconds * n),
        left * y + perSecond,
        left * (ty - seconds * y),
        left * yy + perSecond * perSecond);
  }

  /** Operations a second that are expected after so long. */
  double expected(double aheadSeconds) {
    return level + aheadSeconds * growth(aheadSeconds);
  }

  /** By how much the load grows at least, a second; 0 if it may not grow. */
  private double growth(double aheadSeconds) {
    if (n < FEWEST) {
      return 0;
    }
    double times = tt - t * t / n;
    if (!(StrictMath.sqrt(times / n) >= memorySeconds(aheadSeconds) / 3)) {
      return 0;
    }
    double slope = (ty - t * y / n) / times;
    double left = Math.max(0, yy - y * y / n - slope * slope * times);
    double error = StrictMath.sqrt(left / (n - 2) / times);
    return Math.max(0, slope - ERRORS * error);
  }
}
