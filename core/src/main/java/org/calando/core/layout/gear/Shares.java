package org.calando.core.layout.gear;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Divides a whole into parts. */
final class Shares {
  private Shares() {}

  /**
   * Parts in proportion to weights, none above 1: what a part cannot take is shared by the others,
   * again in proportion to their weights.
   *
   * @param weights above 0
   * @param sum of the parts, 0 to as many as there are weights
   */
  static double[] capped(double[] weights, double sum) {
    double[] parts = new double[weights.length];
    boolean[] full = new boolean[weights.length];
    double rest = sum;
    for (boolean again = true; again; ) {
      again = false;
      double scale = scale(weights, full, rest);
      for (int i = 0; i < parts.length; i++) {
        if (!full[i]) {
          parts[i] = weights[i] * scale;
          if (parts[i] >= 1) {
            full[i] = true;
            parts[i] = 1;
            again = true;
          }
        }
      }
      rest = sum - IntStream.range(0, full.length).filter(i -> full[i]).count();
    }
    return parts;
  }

  private static double scale(double[] weights, boolean[] full, double rest) {
    double open = 0;
    for (int i = 0; i < weights.length; i++) {
      open += full[i] ? 0 : weights[i];
    }
    return open == 0 ? 0 : Math.max(0, rest) / open;
  }

  /**
   * The height to which a whole of 1 fills some vessels without a brim and some with one.
   *
   * @param open how many have no brim, 1 or more
   * @param brims how much the others hold
   */
  static double level(int open, double[] brims) {
    double[] sorted = brims.clone();
    Arrays.sort(sorted);
    double rest = 1;
    int vessels = open + sorted.length;
    for (double brim : sorted) {
      if (brim * vessels >= rest) {
        break;
      }
      rest -= brim;
      vessels--;
    }
    return rest / vessels;
  }

  /**
   * Whole parts of so many things, each rounded up or down, that add up to the whole (largest
   * remainders; of equals the first).
   *
   * @param things 0 or more
   * @param shares 0 or more
   */
  static long[] whole(long things, double[] shares) {
    long[] parts = new long[shares.length];
    double exact = 0;
    long given = 0;
    for (int i = 0; i < shares.length; i++) {
      exact += things * shares[i];
      // What is a whole number but for rounding is that number.
      parts[i] = (long) Math.floor(things * shares[i] + 1e-6);
      given += parts[i];
    }
    List<Integer> order =
        IntStream.range(0, shares.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> parts[i] - things * shares[i]))
            .toList();
    long left = Math.round(exact) - given;
    for (int i = 0; i < left && i < order.size(); i++) {
      parts[order.get(i)]++;
    }
    return parts;
  }
}
