package org.calando.bench.joint;

/** Student's distribution. Stateless. */
public final class Student {
  private static final int STEPS = 2000;

  private Student() {}

  /**
   * The chance that a value exceeds another of 0 or more: the integral of the density from there
   * on, over x = t + u / (1 - u) by Simpson's rule.
   *
   * @param degrees of freedom, 1 or more
   */
  public static double beyond(double t, int degrees) {
    double sum = 0;
    double norm = 0;
    for (int i = 0; i <= STEPS; i++) {
      double weight = i == 0 || i == STEPS ? 1 : i % 2 == 0 ? 2 : 4;
      double u = (double) i / STEPS;
      if (u < 1) {
        double stretch = 1 / ((1 - u) * (1 - u));
        double x = u / (1 - u);
        sum += weight * stretch * density(t + x, degrees);
        norm += weight * stretch * density(x, degrees);
      }
    }
    return 0.5 * sum / norm;
  }

  private static double density(double t, int degrees) {
    return Math.pow(1 + t * t / degrees, -(degrees + 1) / 2.0);
  }
}
