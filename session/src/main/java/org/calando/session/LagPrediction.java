package org.calando.session;

import java.util.Arrays;
import org.calando.core.staleness.PropagationLags;

/**
 * Predicts from sampled lags alone: as reads of so many replicas were seen to miss writes. Where
 * that was not measured: of a write whose version k of N replicas lack at some age, a read of X
 * random replicas is stale with chance C(k, X) / C(N, X). Immutable and thread safe.
 */
public final class LagPrediction implements StalePrediction {
  private final PropagationLags lags;

  /** Predicts from a sample. */
  public LagPrediction(PropagationLags lags) {
    this.lags = lags;
  }

  @Override
  public double chance(int read, double ageSeconds) {
    double[] ofReads = read < 2 || read > lags.replicas() ? new double[0] : lags.ofReads(read);
    if (ofReads.length > 0) {
      return (double) Arrays.stream(ofReads).filter(lag -> lag > ageSeconds).count()
          / ofReads.length;
    }
    double sum = 0;
    for (int sample = 0; sample < lags.samples(); sample++) {
      int lacking = 0;
      while (lacking < lags.replicas()
          && lags.lagSeconds(sample, lags.replicas() - lacking) > ageSeconds) {
        lacking++;
      }
      double chance = 1;
      for (int i = 0; i < read; i++) {
        chance *= Math.max(0, lacking - i) / (double) Math.max(1, lags.replicas() - i);
      }
      sum += chance;
    }
    return sum / lags.samples();
  }
}
