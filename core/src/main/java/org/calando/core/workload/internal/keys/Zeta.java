package org.calando.core.workload.internal.keys;

/**
 * The generalised harmonic number zeta(n, theta) = 1 + 1/2^theta + ... + 1/n^theta, which
 * normalises a zipfian distribution.
 *
 * <p>Stateless. All functions take 0 &lt; theta &lt; 1.
 */
public final class Zeta {
  // Terms up to here are added one by one. Behind it the sum is Euler and Maclaurin's: the integral
  // of x^-theta, half of the end terms and the first correction. The next correction is below
  // 0.01 * EXACT_TERMS^-3.99 = 1e-14 for theta = 0.99, and smaller than 1e-11 for every theta.
  private static final long EXACT_TERMS = 1024;

  private Zeta() {}

  /** zeta(n, theta) in constant time. */
  public static double of(long n, double theta) {
    return extend(0, 0, n, theta);
  }

  /**
   * zeta(to, theta) from zeta(from, theta), in constant time, and with a single term if {@code to}
   * is {@code from + 1}.
   *
   * @param sum zeta(from, theta); 0 for {@code from} 0
   */
  public static double extend(double sum, long from, long to, double theta) {
    double result = sum;
    long stepwise = to - from <= EXACT_TERMS ? to : Math.max(from, EXACT_TERMS);
    for (long i = from + 1; i <= stepwise; i++) {
      result += 1 / Powers.power((double) i, theta);
    }
    return stepwise < to ? result + tail((double) stepwise, (double) to, theta) : result;
  }

  /** The terms after {@code from} up to {@code to}. */
  private static double tail(double from, double to, double theta) {
    double power = 1 - theta;
    double integral =
        Powers.power(from, power) * StrictMath.expm1(power * StrictMath.log(to / from)) / power;
    double first = Powers.power(from, -theta);
    double last = Powers.power(to, -theta);
    return integral + (last - first) / 2 - theta / 12 * (last / to - first / from);
  }
}
