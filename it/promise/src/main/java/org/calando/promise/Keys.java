package org.calando.promise;

import java.util.SplittableRandom;

/**
 * Keys by rank: those of lower rank are drawn more often, as Zipf's law with exponent 0.99 says.
 *
 * @param count how many there are
 * @param first the hottest key
 * @param step from a key to that of the next rank
 */
record Keys(int count, int first, int step) {
  private static final double EXPONENT = 0.99;

  static Keys all(int count) {
    return new Keys(count, 0, 1);
  }

  /** Every so many-th key. */
  static Keys every(int step, int first, int count) {
    return new Keys(count, first, step);
  }

  /** The key of a rank from 0. */
  long key(int rank) {
    return first + (long) step * rank;
  }

  /** Draws keys; not thread safe. */
  static final class Chooser {
    private final Keys keys;
    private final double[] cumulative;
    private final SplittableRandom random;

    Chooser(Keys keys, long seed) {
      this.keys = keys;
      this.random = new SplittableRandom(seed);
      cumulative = new double[keys.count];
      double sum = 0;
      for (int rank = 0; rank < keys.count; rank++) {
        sum += Math.pow(rank + 1.0, -EXPONENT);
        cumulative[rank] = sum;
      }
    }

    /**
     * The next key.
     *
     * @param hottest share of draws that are the hottest key whatever Zipf's law says
     */
    long next(double hottest) {
      if (random.nextDouble() < hottest) {
        return keys.key(0);
      }
      double drawn = random.nextDouble() * cumulative[cumulative.length - 1];
      int low = 0;
      int high = cumulative.length - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (cumulative[middle] <= drawn) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return keys.key(low);
    }
  }
}
