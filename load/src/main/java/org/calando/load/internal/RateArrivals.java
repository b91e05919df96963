package org.calando.load.internal;

import java.util.List;
import java.util.SplittableRandom;
import org.calando.load.ArrivalProcess;
import org.calando.load.RateProfile;

/*
 * Arrivals by inversion of the expected number of arrivals (Çinlar 1975; Lewis and Shedler 1979):
 * with L(t) the integral of the rate from 0 to t, the arrivals of a Poisson process of rate 1 mapped
 * through the inverse of L are a Poisson process of the wanted rate; the numbers 0, 1, 2.. mapped
 * the same way are evenly spaced arrivals. Where the rate is 0, L is flat, and the inverse is the
 * right end of the flat part: an arrival falls into the time that wants it, so a step of rate r and
 * duration d that begins at a whole number of arrivals holds exactly r * d of them.
 *
 * Within a segment whose rate goes linearly from r0 with slope a, L(x) = r0 x + a x^2 / 2. The root
 * is taken as x = 2 L / (r0 + sqrt(r0^2 + 2 a L)), which does not cancel when a is small and is the
 * plain L / r0 when it is 0.
 */
/** A sequence of arrivals whose rate follows a profile; not thread safe. */
public final class RateArrivals implements ArrivalProcess.Arrivals {
  /** Arrivals that rounding may move across the end of a segment. */
  private static final double ROUNDING = 1e-9;

  private final List<RateProfile.Segment> segments;
  private final double lastPerSecond;
  private final SplittableRandom random;
  private final boolean poisson;

  private int segment;
  private long segmentStartNanos;
  private double arrivalsBeforeSegment;
  private double target;
  private long index;

  private RateArrivals(RateProfile profile, boolean poisson, long seed) {
    this.segments = profile.segments();
    this.lastPerSecond = profile.lastPerSecond();
    this.random = new SplittableRandom(seed);
    this.poisson = poisson;
  }

  /** Arrivals without randomness. */
  public static RateArrivals even(RateProfile profile) {
    return new RateArrivals(profile, false, 0);
  }

  /** Poisson arrivals. */
  public static RateArrivals poisson(RateProfile profile, long seed) {
    return new RateArrivals(profile, true, seed);
  }

  @Override
  public long nextNanos() {
    if (poisson) {
      // nextDouble is in [0, 1), so that the logarithm's argument is never 0.
      target -= StrictMath.log(1 - random.nextDouble());
    } else {
      target = index++;
    }
    return invert();
  }

  private long invert() {
    while (segment < segments.size()) {
      RateProfile.Segment current = segments.get(segment);
      double within = target - arrivalsBeforeSegment;
      if (within < current.arrivals() - ROUNDING) {
        return segmentStartNanos + withinSegment(current, within);
      }
      arrivalsBeforeSegment += current.arrivals();
      segmentStartNanos += current.durationNanos();
      segment++;
    }
    if (lastPerSecond == 0) {
      return ArrivalProcess.NONE;
    }
    double within = Math.max(0, target - arrivalsBeforeSegment);
    return segmentStartNanos + Math.round(within / lastPerSecond * 1e9);
  }

  private static long withinSegment(RateProfile.Segment segment, double arrivals) {
    double wanted = Math.max(0, arrivals);
    double from = segment.fromPerSecond();
    double slope = (segment.toPerSecond() - from) / (segment.durationNanos() / 1e9);
    if (wanted == 0 && from == 0) {
      return 0;
    }
    double root = Math.sqrt(Math.max(0, from * from + 2 * slope * wanted));
    long nanos = Math.round(2 * wanted / (from + root) * 1e9);
    return Math.min(nanos, segment.durationNanos());
  }
}
