package org.calando.core.staleness;

/** Probabilities of a Poisson process, accurate also where they are tiny. Stateless. */
final class Poisson {
  // Below this the series; its first term left out is x^8/9! of the first, 2e-18.
  private static final double SERIES = 0x1p-5;

  private Poisson() {}

  /**
   * The probability of at least one event: 1 - exp(-x).
   *
   * @param expected events in the mean, x, 0 or more, may be infinite
   */
  static double any(double expected) {
    if (expected >= SERIES) {
      return 1 - StrictMath.exp(-expected);
    }
    // Not expm1, which is a call out of Java on Java 17.
    double x = expected;
    return x * (1 - x / 2 * (1 - x / 3 * (1 - x / 4 * (1 - x / 5 * (1 - x / 6 * (1 - x / 7))))));
  }

  /**
   * The probabilities of at least 1, 2, .. events.
   *
   * @param expected events in the mean, 0 or more, may be infinite
   * @param atLeast takes them: the first is that of at least one event
   */
  static void tails(double expected, double[] atLeast) {
    int most = atLeast.length;
    if (expected > most + 700) {
      java.util.Arrays.fill(atLeast, 1);
      return;
    }
    double term = StrictMath.exp(-expected);
    double fewer = 0;
    double[] exactly = new double[most + 1];
    for (int events = 0; events <= most; events++) {
      exactly[events] = term;
      fewer += events < most ? term : 0;
      term *= expected / (events + 1);
    }
    double tail = expected > most ? 1 - fewer : series(exactly[most], expected, most);
    for (int events = most; events >= 1; events--) {
      atLeast[events - 1] = Math.min(1, tail);
      tail += exactly[events - 1];
    }
  }

  private static double series(double first, double expected, int from) {
    double sum = first;
    double term = first;
    for (int events = from + 1; term > sum * 0x1p-53; events++) {
      term *= expected / events;
      sum += term;
    }
    return sum;
  }
}
