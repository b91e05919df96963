package org.calando.core.policy;

import java.util.function.IntToDoubleFunction;
import org.calando.core.policy.Observation.Rates;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.staleness.StaleEstimate;

/**
 * From an observation that has all the figures to each model's estimate: the one place where
 * policies meet the models.
 */
final class Estimates {
  /** What stands for never, where a model wants a number. */
  private static final double LONG_SECONDS = 1e9;

  private Estimates() {}

  /** Harmony as published: the table's rates as if of one key, mean Tp, whatever W is. */
  static StaleEstimate harmony(Observation o) {
    double readsPerSecond = rates(o).readsPerSecond();
    double writesPerSecond = rates(o).writesPerSecond();
    double tpSeconds = tpSeconds(o);
    int n = o.replicas();
    return of(
        n,
        read -> {
          if (readsPerSecond == 0 || writesPerSecond == 0 || tpSeconds == 0) {
            return 0;
          }
          double readsPerWrite = readsPerSecond / writesPerSecond;
          double rate =
              (n - read)
                  * -Math.expm1(-readsPerSecond * tpSeconds)
                  * (1 + readsPerWrite)
                  / (n * readsPerWrite);
          return Math.min(1, rate);
        });
  }

  /** The exact model per key, with mean Tp and W. */
  static StaleEstimate exact(Observation o) {
    KeyPopularity keys = popularity(o);
    double writesPerSecond = rates(o).writesPerSecond();
    double tpSeconds = tpSeconds(o);
    double sum = 0;
    for (int bin = 0; bin < keys.bins(); bin++) {
      sum += keys.reads(bin) * -Math.expm1(-writesPerSecond * keys.writesPerKey(bin) * tpSeconds);
    }
    double inWindow = Math.min(1, sum);
    int n = o.replicas();
    int w = o.writeReplicas();
    return of(
        n,
        read -> inWindow * ReadSteps.choose(Math.max(0, n - w), read) / ReadSteps.choose(n, read));
  }

  /** Measured lags, per key. */
  static StaleEstimate lags(Observation o) {
    KeyPopularity keys = popularity(o);
    PropagationLags sample = o.lags().orElseThrow().sample();
    double writesPerSecond = rates(o).writesPerSecond();
    int n = o.replicas();
    double[] byRank = new double[n + 1];
    for (int rank = 1; rank <= n; rank++) {
      for (int i = 0; i < sample.samples(); i++) {
        double lag = Math.min(LONG_SECONDS, sample.lagSeconds(i, rank));
        for (int bin = 0; bin < keys.bins(); bin++) {
          byRank[rank] +=
              keys.reads(bin) * -Math.expm1(-writesPerSecond * keys.writesPerKey(bin) * lag);
        }
      }
      byRank[rank] /= sample.samples();
    }
    return of(
        n,
        read -> {
          double sum = 0;
          for (int rank = 1; rank <= n - read + 1; rank++) {
            sum += byRank[rank] * ReadSteps.choose(n - rank, read - 1) / ReadSteps.choose(n, read);
          }
          return Math.min(1, sum);
        });
  }

  /** Mean propagation time, in seconds, where there is an end to it. */
  private static double tpSeconds(Observation o) {
    return Math.min(LONG_SECONDS, o.lags().orElseThrow().sample().meanSeconds());
  }

  private static Rates rates(Observation o) {
    return o.rates().orElseThrow();
  }

  private static KeyPopularity popularity(Observation o) {
    return o.popularity().orElseThrow().byKey();
  }

  private static StaleEstimate of(int replicas, IntToDoubleFunction rate) {
    return new StaleEstimate() {
      @Override
      public int replicas() {
        return replicas;
      }

      @Override
      public double rate(int read) {
        return rate.applyAsDouble(read);
      }
    };
  }
}
