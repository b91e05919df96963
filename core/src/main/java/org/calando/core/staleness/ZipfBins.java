package org.calando.core.staleness;

import java.util.ArrayList;
import java.util.List;

/** Puts zipfian keys into bins. Not thread safe. */
final class ZipfBins {
  // Sums over keys of a smooth function of the rank are, by Euler and Maclaurin, its integral
  // between the halves before and behind the ranks, less 1/24 of the difference of its slopes. The
  // share of an octave is taken so; its four bins are the integral's alone, scaled to that share,
  // which leaves a relative error of some 0.06 / rank^2 in the first octave, 4e-6, and a quarter of
  // that in each further one. The first octave has at most a twentieth of the requests.

  private static final long SINGLES = 128;
  private static final long MOST_KEYS = 1_000_000_000_000_000L;
  private static final double MOST_THETA = 10;

  private static final double[] NODES = {
    -0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526
  };
  private static final double[] WEIGHTS = {
    0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538
  };

  private final double theta;
  private final List<double[]> bins = new ArrayList<>();

  private ZipfBins(double theta) {
    this.theta = theta;
  }

  static KeyPopularity of(long keys, double theta) {
    if (keys < 1 || keys > MOST_KEYS) {
      throw new IllegalArgumentException("keys " + keys + ", not 1 .. " + MOST_KEYS);
    }
    if (!(theta > 0 && theta <= MOST_THETA)) {
      throw new IllegalArgumentException("zipfian constant " + theta + ", not 0 .. " + MOST_THETA);
    }
    ZipfBins zipf = new ZipfBins(theta);
    for (long rank = 1; rank <= Math.min(keys, SINGLES); rank++) {
      zipf.bins.add(new double[] {1, power((double) rank, theta)});
    }
    for (long rank = SINGLES + 1; rank <= keys; rank = 2 * rank - 1) {
      zipf.octave(rank, Math.min(keys, 2 * rank - 2));
    }
    return zipf.popularity();
  }

  /** Ranks first .. last. */
  private void octave(long first, long last) {
    double from = first - 0.5;
    double to = last + 0.5;
    double half = StrictMath.log(to / from) / 2;
    double middle = StrictMath.log(from) + half;
    double sum = 0;
    double[][] added = new double[NODES.length][];
    for (int i = 0; i < added.length; i++) {
      double rank = StrictMath.exp(middle + half * NODES[i]);
      double keys = WEIGHTS[i] * half * rank;
      double requests = keys * power(rank, theta);
      added[i] = new double[] {keys, requests};
      sum += requests;
    }
    double scale = requests(from, to) / sum;
    for (double[] bin : added) {
      bins.add(new double[] {bin[0], bin[1] * scale});
    }
  }

  /** The sum of 1 / k^theta over the ranks between two halves. */
  private double requests(double from, double to) {
    double power = 1 - theta;
    double octaves = StrictMath.log(to / from);
    double integral =
        power == 0
            ? octaves
            : StrictMath.exp(power * StrictMath.log(from))
                * StrictMath.expm1(power * octaves)
                / power;
    return integral + theta / 24 * (power(to, theta + 1) - power(from, theta + 1));
  }

  private KeyPopularity popularity() {
    double sum = bins.stream().mapToDouble(bin -> bin[1]).sum();
    double[] keys = bins.stream().mapToDouble(bin -> bin[0]).toArray();
    double[] shares = bins.stream().mapToDouble(bin -> bin[1] / sum).toArray();
    return KeyPopularity.of(keys, shares, shares);
  }

  private static double power(double rank, double theta) {
    return StrictMath.exp(-theta * StrictMath.log(rank));
  }
}
