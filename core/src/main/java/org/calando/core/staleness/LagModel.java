package org.calando.core.staleness;

/**
 * What models say of a single read, by the age of the newest write of its key: so that reads of a
 * canary, whose age is known, can be set beside them. Where reads of so many replicas were seen to
 * miss writes, all models go by that.
 */
public enum LagModel {
  /** Each replica has a write after the lag that was measured of it: {@link LagStaleness}. */
  MEASURED {
    @Override
    double missedByRandom(PropagationLags lags, int write, int read, double ageSeconds) {
      double sum = 0;
      for (int sample = 0; sample < lags.samples(); sample++) {
        int having = 0;
        while (having < lags.replicas() && lags.lagSeconds(sample, having + 1) <= ageSeconds) {
          having++;
        }
        sum += Overlap.missed(lags.replicas(), having, read);
      }
      return sum / lags.samples();
    }
  },
  /**
   * All replicas but those that acknowledged have a write when the last one has: {@link
   * ExactStaleness}.
   */
  LAST {
    @Override
    double missedByRandom(PropagationLags lags, int write, int read, double ageSeconds) {
      int underWay = 0;
      for (int sample = 0; sample < lags.samples(); sample++) {
        underWay += lags.lagSeconds(sample, lags.replicas()) > ageSeconds ? 1 : 0;
      }
      return Overlap.missed(lags.replicas(), write, read) * underWay / lags.samples();
    }
  };

  /**
   * The chance that a read misses the newest write of its key.
   *
   * @param lags what was measured
   * @param write replicas that acknowledged it, W, 1 .. N
   * @param read replicas asked, X, 1 .. N
   * @param ageSeconds since its acknowledgement, 0 or more
   * @return 0 .. 1
   */
  public double missed(PropagationLags lags, int write, int read, double ageSeconds) {
    double[] ofReads = read < 2 ? new double[0] : lags.ofReads(read);
    return ofReads.length == 0
        ? missedByRandom(lags, write, read, ageSeconds)
        : shareAbove(ageSeconds, ofReads);
  }

  private static double shareAbove(double ageSeconds, double[] lags) {
    int count = 0;
    for (double lag : lags) {
      count += lag > ageSeconds ? 1 : 0;
    }
    return (double) count / lags.length;
  }

  /** As if the replicas were random and asked at once. */
  abstract double missedByRandom(PropagationLags lags, int write, int read, double ageSeconds);
}
