package org.calando.core.staleness;

import java.util.function.DoubleUnaryOperator;

/** Integrals from 0 to infinity. Stateless. */
final class HalfLine {
  // Takahasi and Mori's double exponential rule, "Double exponential formulas for numerical
  // integration", 1974: x = scale exp(pi/2 sinh u), equal steps in u. It needs no knowledge of the
  // integrand's scales, which may lie decades apart; ends at scale times exp(-35) and exp(35).
  private static final int STEPS = 128;
  private static final double REACH = 3.8;

  private HalfLine() {}

  /**
   * The integral of a smooth function that dies out as an exponential, to about 1e-12 of its size.
   *
   * @param scale where much of it is, more than 0
   */
  static double integral(DoubleUnaryOperator function, double scale) {
    double sum = 0;
    for (int i = -STEPS; i <= STEPS; i++) {
      double u = REACH * i / STEPS;
      double x = scale * StrictMath.exp(Math.PI / 2 * StrictMath.sinh(u));
      sum += function.applyAsDouble(x) * x * StrictMath.cosh(u);
    }
    return sum * Math.PI / 2 * REACH / STEPS;
  }
}
