package org.calando.core.policy;

import java.util.Arrays;
import org.calando.core.policy.Observation.Lags;
import org.calando.core.staleness.PropagationLags;

/** Keeps replicas that are away out of the lags of those that are there. */
final class LateReplicas {
  private LateReplicas() {}

  /**
   * The observation without the infinite lags of late replicas, which {@link ReadSteps} counts by
   * itself: they get the lag of the last of the others. Infinite lags beyond their number stay.
   *
   * @param late replicas that are away or came back lately, 0 .. N
   */
  static Observation countedApart(Observation o, int late) {
    if (late == 0 || o.lags().isEmpty()) {
      return o;
    }
    Lags lags = o.lags().get();
    PropagationLags sample = lags.sample();
    double[][] apart = new double[sample.samples()][];
    for (int i = 0; i < apart.length; i++) {
      apart[i] = lagsWithout(sample, i, late);
    }
    return o.withLags(new Lags(lags.atNanos(), PropagationLags.of(sample.replicas(), apart)));
  }

  private static double[] lagsWithout(PropagationLags sample, int write, int late) {
    int replicas = sample.replicas();
    int there = Math.max(0, replicas - late);
    double last = there == 0 ? 0 : sample.lagSeconds(write, there);
    double[] lags = sample.row(write);
    // Reads that did not find it for the sake of those replicas find it with the others.
    Arrays.setAll(lags, i -> i >= replicas && Double.isInfinite(lags[i]) ? last : lags[i]);
    for (int rank = 1; rank <= replicas; rank++) {
      double lag = sample.lagSeconds(write, rank);
      lags[rank - 1] = rank > there && Double.isInfinite(lag) ? last : lag;
    }
    return lags;
  }
}
