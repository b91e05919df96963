package org.calando.sim.kernel;

/**
 * Reproducible random numbers of one component: SplitMix64 (Steele, Lea and Flood, "Fast splittable
 * pseudorandom number generators", OOPSLA 2014), the same on every machine and release of Java. Not
 * thread safe; no allocation.
 */
public final class RandomStream {
  static final long GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  RandomStream(long state) {
    this.state = state;
  }

  /** 64 random bits. */
  public long nextLong() {
    state += GAMMA;
    return mix(state);
  }

  /** Uniform over 0 (included) .. 1 (excluded), a multiple of 2^-53. */
  public double nextDouble() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }

  /**
   * Uniform over 0 .. bound - 1; the bias of the multiplication, bound / 2^32, is beyond notice.
   *
   * @param bound 1 or more
   */
  public int nextInt(int bound) {
    return (int) (((nextLong() >>> 32) * bound) >>> 32);
  }

  /** Exponential with mean 1. */
  public double nextExponential() {
    return Ziggurat.exponential(this);
  }

  /** Normal with mean 0 and standard deviation 1. */
  public double nextGaussian() {
    return Ziggurat.normal(this);
  }

  /**
   * Gamma with a shape and scale 1, whose mean is the shape (Marsaglia and Tsang, "A simple method
   * for generating gamma variables", 2000).
   *
   * @param shape above 0
   */
  public double nextGamma(double shape) {
    if (shape < 1) {
      double power = StrictMath.pow(1 - nextDouble(), 1 / shape);
      return nextGamma(shape + 1) * power;
    }
    return nextGamma(shape, gammaRoot(shape));
  }

  /** What {@link #nextGamma(double, double)} needs, worked out once. */
  static double gammaRoot(double shape) {
    return 1 / StrictMath.sqrt(9 * (shape - 1.0 / 3));
  }

  /** Gamma with a shape of 1 or more, of which the root is that of {@link #gammaRoot}. */
  double nextGamma(double shape, double root) {
    double d = shape - 1.0 / 3;
    while (true) {
      double x = nextGaussian();
      double base = 1 + root * x;
      if (base > 0) {
        double v = base * base * base;
        double u = 1 - nextDouble();
        double square = x * x;
        // The squeeze decides nearly always, and never otherwise than the logarithms would.
        if (u < 1 - 0.0331 * square * square) {
          return d * v;
        }
        if (StrictMath.log(u) < 0.5 * square + d - d * v + d * StrictMath.log(v)) {
          return d * v;
        }
      }
    }
  }

  static long mix(long bits) {
    long z = bits;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
