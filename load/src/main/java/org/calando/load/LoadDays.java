package org.calando.load;

import java.util.SplittableRandom;

/*
 * The load of a minute is
 *
 *   peak * shape(time of day) * (weekend, on Saturday and Sunday) * (1 + noise)  +  spikes
 *
 * A round shape goes from `night` at 2 o'clock to 1 at 14 o'clock as a raised cosine to the power 1.5,
 * which makes nights longer than noons; a steep one rises from 8:00 to 8:10 and falls from 18:00 to
 * 18:10. Noise is a first-order autoregression with a correlation time of 20
 * minutes; each day, besides, is a little busier or quieter than others. Spikes come as a Poisson
 * process, rise within a minute and die away within 5 to 30.
 */
/**
 * Weeks of a load that somebody might have: days and nights, weekends, noise and spikes, drawn from
 * a seed. They begin on a Monday, 00:00. Immutable and thread safe.
 *
 * @param shape how a day goes
 * @param peakPerSecond operations a second at a working day's noon, above 0
 * @param night the load at night as a share of that at noon, 0 .. 1
 * @param weekend the load of Saturdays and Sundays as a share of that of other days, 0 or more
 * @param noise standard deviation of the noise, as a share of the load, 0 or more
 * @param dayNoise the same of whole days
 * @param spikesPerDay how many spikes a day has, on average, 0 or more
 * @param spikeHeight greatest height of a spike, as a share of the peak, 0 or more
 * @param stepSeconds length of a step, a divisor of 86400 s
 */
public record LoadDays(
    Shape shape,
    double peakPerSecond,
    double night,
    double weekend,
    double noise,
    double dayNoise,
    double spikesPerDay,
    double spikeHeight,
    int stepSeconds) {
  /** How a day goes. */
  public enum Shape {
    /** Rising and falling for hours. */
    ROUND,
    /** As when everybody begins at eight. */
    STEEP
  }

  private static final int DAY_SECONDS = 86_400;
  private static final int HOUR_SECONDS = 3600;
  private static final int RISE_SECONDS = 600;
  private static final double CORRELATION_SECONDS = 1200;

  public LoadDays {
    if (!(peakPerSecond > 0)
        || !(night >= 0 && night <= 1)
        || !(weekend >= 0)
        || !(noise >= 0)
        || !(dayNoise >= 0)
        || !(spikesPerDay >= 0)
        || !(spikeHeight >= 0)
        || stepSeconds < 1
        || DAY_SECONDS % stepSeconds != 0) {
      throw new IllegalArgumentException(
          "days of %s ops/s, night %s, weekend %s, noise %s and %s, %s spikes of %s, steps of %d s"
              .formatted(
                  peakPerSecond,
                  night,
                  weekend,
                  noise,
                  dayNoise,
                  spikesPerDay,
                  spikeHeight,
                  stepSeconds));
    }
  }

  /** Days of an office: nights at 15 %, weekends at 50 %, noise of 5 %, a spike every other day. */
  public static LoadDays office(double peakPerSecond) {
    return new LoadDays(Shape.ROUND, peakPerSecond, 0.15, 0.5, 0.05, 0.05, 0.5, 0.3, 60);
  }

  /** The same with days of another shape. */
  public LoadDays withShape(Shape newShape) {
    return new LoadDays(
        newShape,
        peakPerSecond,
        night,
        weekend,
        noise,
        dayNoise,
        spikesPerDay,
        spikeHeight,
        stepSeconds);
  }

  /**
   * The load of days.
   *
   * @param days 1 or more
   * @param seed of everything random; a trace of more days begins like one of fewer
   */
  public LoadTrace trace(int days, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int stepsPerDay = DAY_SECONDS / stepSeconds;
    double[] rates = new double[days * stepsPerDay];
    double keep = StrictMath.exp(-stepSeconds / CORRELATION_SECONDS);
    double wander = 0;
    double spike = 0;
    double decay = 0;
    for (int day = 0; day < days; day++) {
      double busy = Math.max(0, 1 + dayNoise * normal(random)) * (day % 7 < 5 ? 1 : weekend);
      for (int step = 0; step < stepsPerDay; step++) {
        wander = keep * wander + StrictMath.sqrt(1 - keep * keep) * normal(random);
        spike *= decay;
        if (random.nextDouble() < spikesPerDay / stepsPerDay) {
          spike = spikeHeight * (0.3 + 0.7 * random.nextDouble());
          decay = StrictMath.exp(-stepSeconds / (60 * (5 + 25 * random.nextDouble()) / 3));
        }
        double share = busy * level(step * (double) stepSeconds) * Math.max(0, 1 + noise * wander);
        rates[day * stepsPerDay + step] = peakPerSecond * (share + spike);
      }
    }
    return LoadTrace.of(stepSeconds * 1_000_000_000L, rates);
  }

  private double level(double secondOfDay) {
    double share =
        switch (shape) {
          case ROUND -> {
            double turn = 2 * StrictMath.PI * (secondOfDay / DAY_SECONDS - 2.0 / 24);
            yield StrictMath.pow((1 - StrictMath.cos(turn)) / 2, 1.5);
          }
          case STEEP ->
              risen(secondOfDay - 8 * HOUR_SECONDS) - risen(secondOfDay - 18 * HOUR_SECONDS);
        };
    return night + (1 - night) * share;
  }

  private static double risen(double seconds) {
    return Math.min(1, Math.max(0, seconds / RISE_SECONDS));
  }

  /** Nearly normal, the sum of twelve even numbers: the same on every release of Java. */
  private static double normal(SplittableRandom random) {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
      sum += random.nextDouble();
    }
    return sum;
  }
}
