package org.calando.core.policy.gear;

/**
 * How a load is forecast. Immutable and thread safe.
 *
 * @param slotSeconds length of the slots of a week, a divisor of 86400 s
 * @param smoothing least weight of a new day, or week, over all before it, above 0, at most 1
 * @param firstError error that is assumed of what was seen once, as a share of it, 0 or more
 * @param errors head-room for the forecast's error: how many mean errors above the mean, 0 or more
 * @param speed local seconds that pass in a second of the loop's clock, above 0: 1, or how far a
 *     trace is compressed
 */
public record ForecastLimits(
    long slotSeconds, double smoothing, double firstError, double errors, double speed) {
  public ForecastLimits {
    if (slotSeconds < 1 || 86_400 % slotSeconds != 0) {
      throw new IllegalArgumentException("slots of " + slotSeconds + " s");
    }
    if (!(smoothing > 0 && smoothing <= 1)
        || !(firstError >= 0 && Double.isFinite(firstError))
        || !(errors >= 0 && Double.isFinite(errors))
        || !(speed > 0 && Double.isFinite(speed))) {
      throw new IllegalArgumentException(
          "smoothing %s, first error %s, %s errors, speed %s"
              .formatted(smoothing, firstError, errors, speed));
    }
  }

  /** What is usual: 15 minutes, 0.3, 20 %, 2 errors, as time goes. */
  public static ForecastLimits defaults() {
    return new ForecastLimits(900, 0.3, 0.2, 2, 1);
  }

  /** The same with another head-room for errors. */
  public ForecastLimits withErrors(double newErrors) {
    return new ForecastLimits(slotSeconds, smoothing, firstError, newErrors, speed);
  }

  /** The same for a trace that is compressed. */
  public ForecastLimits withSpeed(double newSpeed) {
    return new ForecastLimits(slotSeconds, smoothing, firstError, errors, newSpeed);
  }
}
