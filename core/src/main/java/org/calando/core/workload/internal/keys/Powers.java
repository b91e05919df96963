package org.calando.core.workload.internal.keys;

/** Powers that are the same on every machine and allocate nothing. */
final class Powers {
  private Powers() {}

  /**
   * base^exponent with a relative error below some (1 + |exponent ln base|) 2^-52.
   *
   * <p>StrictMath.pow, on Java 17, makes three arrays a call until it is compiled by C2.
   *
   * @param base greater than 0
   */
  static double power(double base, double exponent) {
    return StrictMath.exp(exponent * StrictMath.log(base));
  }
}
