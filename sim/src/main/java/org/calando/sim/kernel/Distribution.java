package org.calando.sim.kernel;

import java.util.Objects;
import org.calando.core.BadRequestException;

/**
 * A distribution of service times or latencies in nanoseconds: a value, immutable and thread safe.
 * Draws allocate nothing and are the same on every machine. All methods that make one throw {@link
 * BadRequestException} for times that cannot be.
 */
public final class Distribution {
  private enum Kind {
    CONSTANT,
    EXPONENTIAL,
    LOGNORMAL,
    GAMMA
  }

  private static final double MOST_NANOS = 9e18;

  /** No time at all. */
  public static final Distribution NONE = constant(0);

  private final Kind kind;
  private final double offsetNanos;
  private final double meanNanos;
  private final double shape;
  private final double scale;

  /** Of gamma only. */
  private final double root;

  /** Of constants only, else below 0. */
  private final long constantNanos;

  private Distribution(Kind kind, double offset, double mean, double shape, double scale) {
    this.kind = kind;
    this.offsetNanos = offset;
    this.meanNanos = mean;
    this.shape = shape;
    this.scale = scale;
    this.constantNanos = kind == Kind.CONSTANT ? (long) (offset + 0.5) : -1;
    this.root = kind == Kind.GAMMA && shape >= 1 ? RandomStream.gammaRoot(shape) : 0;
  }

  /**
   * Always the same.
   *
   * @param nanos 0 or more
   */
  public static Distribution constant(double nanos) {
    requireNanos("time", nanos);
    return new Distribution(Kind.CONSTANT, nanos, nanos, 0, 0);
  }

  /**
   * Exponential.
   *
   * @param meanNanos 0 or more
   */
  public static Distribution exponential(double meanNanos) {
    requireNanos("mean", meanNanos);
    return new Distribution(Kind.EXPONENTIAL, 0, meanNanos, 1, meanNanos);
  }

  /**
   * Lognormal.
   *
   * @param meanNanos 0 or more
   * @param variation coefficient of variation, standard deviation over mean, 0 or more
   */
  public static Distribution lognormal(double meanNanos, double variation) {
    requireNanos("mean", meanNanos);
    requireNanos("coefficient of variation", variation);
    double sigma = StrictMath.sqrt(StrictMath.log1p(variation * variation));
    double median = meanNanos * StrictMath.exp(-sigma * sigma / 2);
    return new Distribution(Kind.LOGNORMAL, 0, meanNanos, sigma, median);
  }

  /**
   * Gamma.
   *
   * @param meanNanos 0 or more
   * @param shape inverse of the squared coefficient of variation, above 0
   */
  public static Distribution gamma(double meanNanos, double shape) {
    requireNanos("mean", meanNanos);
    requireNanos("shape", shape);
    if (shape == 0) {
      throw wrong("shape 0 is not above 0");
    }
    return new Distribution(Kind.GAMMA, 0, meanNanos, shape, meanNanos / shape);
  }

  /** The same with so much added to every time; 0 or more nanoseconds. */
  public Distribution plus(double nanos) {
    requireNanos("time", nanos);
    return new Distribution(kind, offsetNanos + nanos, meanNanos + nanos, shape, scale);
  }

  /** The same with every time multiplied by a factor of 0 or more. */
  public Distribution times(double factor) {
    requireNanos("factor", factor);
    return new Distribution(kind, offsetNanos * factor, meanNanos * factor, shape, scale * factor);
  }

  /** The mean, in nanoseconds. */
  public double meanNanos() {
    return meanNanos;
  }

  /** Whether every time is 0. */
  public boolean isNone() {
    return meanNanos == 0;
  }

  /** A time in nanoseconds, 0 or more, to the nearest one. */
  public long sample(RandomStream random) {
    return constantNanos >= 0 ? constantNanos : (long) (draw(random) + 0.5);
  }

  /** The sum of so many times, 0 or more; 0 if that is not above 0. */
  public long sampleSum(long count, RandomStream random) {
    if (constantNanos >= 0) {
      return Math.max(0, count) * constantNanos;
    }
    long sum = 0;
    for (long i = count; i > 0; i--) {
      sum += sample(random);
    }
    return sum;
  }

  private double draw(RandomStream random) {
    // Tests in this order, not a switch: most draws are gamma, and a switch over an enumeration is
    // a jump through two tables.
    if (kind == Kind.GAMMA) {
      double drawn = shape < 1 ? random.nextGamma(shape) : random.nextGamma(shape, root);
      return offsetNanos + scale * drawn;
    }
    if (kind == Kind.EXPONENTIAL) {
      return offsetNanos + scale * random.nextExponential();
    }
    if (kind == Kind.LOGNORMAL) {
      return offsetNanos + scale * StrictMath.exp(shape * random.nextGaussian());
    }
    return offsetNanos;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Distribution that
        && kind == that.kind
        && offsetNanos == that.offsetNanos
        && meanNanos == that.meanNanos
        && shape == that.shape
        && scale == that.scale;
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, offsetNanos, meanNanos, shape, scale);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case CONSTANT -> "constant " + offsetNanos + " ns";
      case EXPONENTIAL -> "exponential, mean " + meanNanos + " ns" + above();
      case LOGNORMAL -> "lognormal, mean " + meanNanos + " ns, sigma " + shape + above();
      case GAMMA -> "gamma, mean " + meanNanos + " ns, shape " + shape + above();
    };
  }

  private String above() {
    return offsetNanos == 0 ? "" : ", at least " + offsetNanos + " ns";
  }

  private static void requireNanos(String what, double value) {
    if (!(value >= 0 && value < MOST_NANOS)) {
      throw wrong(what + " " + value + " is not 0 or more, and finite");
    }
  }

  private static BadRequestException wrong(String what) {
    return new BadRequestException(
        "a distribution's " + what, "simulated times", "give times of 0 or more");
  }
}
