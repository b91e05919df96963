package org.calando.sim.kernel;

/*
 * Marsaglia and Tsang, "The ziggurat method for generating random variables" (2000). The area under
 * a falling density f is covered by layers of equal area v: rectangles from 0 to x[i], the lowest
 * with the tail beyond x[1] = r. A point in a layer left of x[i + 1] lies under f, which spares the
 * logarithm 98 times of 100. The layer comes from the lowest 8 bits of the random number, the place
 * in it from the highest 53, so that they are independent (Doornik, 2005).
 */
/** Exponential and normal numbers without a logarithm for most of them. */
final class Ziggurat {
  private static final int LAYERS = 256;
  private static final double EXPONENTIAL_R = 7.69711747013105;
  private static final double EXPONENTIAL_V = 0.003949659822581557;
  private static final double NORMAL_R = 3.654152885361009;
  private static final double NORMAL_V = 0.00492867323399;

  private static final double[] EXPONENTIAL_X = new double[LAYERS + 1];
  private static final double[] EXPONENTIAL_F = new double[LAYERS + 1];
  private static final double[] NORMAL_X = new double[LAYERS + 1];
  private static final double[] NORMAL_F = new double[LAYERS + 1];

  static {
    EXPONENTIAL_X[0] = EXPONENTIAL_V / StrictMath.exp(-EXPONENTIAL_R);
    EXPONENTIAL_X[1] = EXPONENTIAL_R;
    NORMAL_X[0] = NORMAL_V / StrictMath.exp(-0.5 * NORMAL_R * NORMAL_R);
    NORMAL_X[1] = NORMAL_R;
    for (int i = 2; i < LAYERS; i++) {
      double x = EXPONENTIAL_X[i - 1];
      EXPONENTIAL_X[i] = -StrictMath.log(EXPONENTIAL_V / x + StrictMath.exp(-x));
      double y = NORMAL_X[i - 1];
      NORMAL_X[i] =
          StrictMath.sqrt(-2 * StrictMath.log(NORMAL_V / y + StrictMath.exp(-0.5 * y * y)));
    }
    for (int i = 0; i <= LAYERS; i++) {
      EXPONENTIAL_F[i] = StrictMath.exp(-EXPONENTIAL_X[i]);
      NORMAL_F[i] = StrictMath.exp(-0.5 * NORMAL_X[i] * NORMAL_X[i]);
    }
  }

  private Ziggurat() {}

  static double exponential(RandomStream random) {
    long bits = random.nextLong();
    int layer = (int) bits & (LAYERS - 1);
    double x = (bits >>> 11) * 0x1.0p-53 * EXPONENTIAL_X[layer];
    return x < EXPONENTIAL_X[layer + 1] ? x : exponentialEdge(random, layer, x);
  }

  private static double exponentialEdge(RandomStream random, int firstLayer, double firstX) {
    int layer = firstLayer;
    double x = firstX;
    double beyond = 0;
    while (true) {
      if (layer == 0) {
        // The tail of an exponential is one again.
        beyond += EXPONENTIAL_R;
      } else if (below(EXPONENTIAL_F, layer, random) < StrictMath.exp(-x)) {
        return beyond + x;
      }
      long bits = random.nextLong();
      layer = (int) bits & (LAYERS - 1);
      x = (bits >>> 11) * 0x1.0p-53 * EXPONENTIAL_X[layer];
      if (x < EXPONENTIAL_X[layer + 1]) {
        return beyond + x;
      }
    }
  }

  static double normal(RandomStream random) {
    while (true) {
      long bits = random.nextLong();
      int layer = (int) bits & (LAYERS - 1);
      double x = ((bits >> 10) + 0.5) * 0x1.0p-53 * NORMAL_X[layer];
      double size = Math.abs(x);
      if (size < NORMAL_X[layer + 1]) {
        return x;
      }
      if (layer == 0) {
        return x < 0 ? -normalTail(random) : normalTail(random);
      }
      if (below(NORMAL_F, layer, random) < StrictMath.exp(-0.5 * x * x)) {
        return x;
      }
    }
  }

  private static double normalTail(RandomStream random) {
    while (true) {
      double x = random.nextExponential() / NORMAL_R;
      double y = random.nextExponential();
      if (2 * y >= x * x) {
        return NORMAL_R + x;
      }
    }
  }

  private static double below(double[] f, int layer, RandomStream random) {
    return f[layer] + random.nextDouble() * (f[layer + 1] - f[layer]);
  }
}
