package org.calando.core.staleness;

import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The share of stale reads, exactly, in Harmony's model, key by key. Immutable and thread safe.
 *
 * <p>A write is acknowledged when W random replicas have it; the others all get it a time Tp later;
 * a read asks X random replicas. With Poisson writes at rate w the share is q (1 - exp(-w Tp)), q =
 * C(N-W, X) / C(N, X) being the chance to ask none of the W. It does not depend on the rate of
 * reads. Over keys it is the mean weighted by reads: q sum_k r_k (1 - exp(-L p_k Tp)), with L the
 * writes of the table and r_k and p_k the key's shares of reads and of writes.
 *
 * <p>Versions and ages follow with the replicas of each write drawn independently: at least k
 * versions behind is q^k P(at least k writes within Tp).
 */
public final class ExactStaleness extends WindowStaleness {
  private ExactStaleness(
      IntFunction<StaleWindow> windows,
      KeyPopularity popularity,
      double writesPerSecond,
      double[] rates) {
    super(windows, popularity, writesPerSecond, rates);
  }

  /**
   * Of a table.
   *
   * @param replicas N, 1 or more
   * @param write replicas that acknowledge a write, W, 1 .. N
   * @param tpSeconds time that a write takes from its acknowledgement to every replica, Tp, 0 or
   *     more; infinite if it never does
   * @param writesPerSecond writes of the table, 0 or more
   * @param popularity how requests spread over its keys
   */
  public static ExactStaleness of(
      int replicas, int write, double tpSeconds, double writesPerSecond, KeyPopularity popularity) {
    return of(replicas, write, new double[] {tpSeconds}, writesPerSecond, popularity);
  }

  /**
   * Of a table whose writes take different times: the mean over them.
   *
   * @param tpSeconds for each sampled write the time from its acknowledgement to every replica, 0
   *     or more, or infinite; at least one
   */
  public static ExactStaleness of(
      int replicas,
      int write,
      double[] tpSeconds,
      double writesPerSecond,
      KeyPopularity popularity) {
    Overlap.require("a write of", write, replicas);
    Overlap.require("writes per second", writesPerSecond);
    if (tpSeconds.length == 0 || !Arrays.stream(tpSeconds).allMatch(tp -> tp >= 0)) {
      throw new IllegalArgumentException("Tp in seconds " + Arrays.toString(tpSeconds));
    }
    double[] kept = tpSeconds.clone();
    double underWay = underWay(kept, writesPerSecond, popularity);
    double[] rates = new double[replicas];
    for (int read = 1; read <= replicas; read++) {
      rates[read - 1] = Overlap.missed(replicas, write, read) * underWay;
    }
    return new ExactStaleness(
        read -> window(kept, Overlap.missed(replicas, write, read)),
        popularity,
        writesPerSecond,
        rates);
  }

  /**
   * Of a table whose propagation was measured: each sampled write has a Tp of its own, the time of
   * its last replica; reads of several replicas miss what such reads were seen to miss, where that
   * was measured.
   *
   * @param lags what was measured
   * @param write replicas that acknowledge a write, W, 1 .. N
   */
  public static StaleDepthEstimate measured(
      PropagationLags lags, int write, double writesPerSecond, KeyPopularity popularity) {
    int replicas = lags.replicas();
    Overlap.require("a write of", write, replicas);
    int[] all = IntStream.range(0, lags.samples()).toArray();
    double[] tpSeconds =
        Arrays.stream(all).mapToDouble(sample -> lags.lagSeconds(sample, replicas)).toArray();
    StaleWindow[] windows = new StaleWindow[replicas];
    for (int read = 1; read <= replicas; read++) {
      int[] ofReads = lags.samplesOfReads(read);
      windows[read - 1] =
          ofReads.length > 0
              ? OvertakingWindow.of(lags, ofReads, lags.ofReads(read), even(ofReads.length, 1))
              : OvertakingWindow.of(
                  lags,
                  all,
                  tpSeconds,
                  even(tpSeconds.length, Overlap.missed(replicas, write, read)));
    }
    return new WindowStaleness(windows, popularity, writesPerSecond);
  }

  private static double[] even(int count, double together) {
    double[] even = new double[count];
    Arrays.fill(even, together / count);
    return even;
  }

  private static StaleWindow window(double[] tpSeconds, double missed) {
    return StaleWindow.of(tpSeconds, even(tpSeconds.length, missed));
  }

  /** The share of reads that find a write of their key under way. */
  private static double underWay(
      double[] tpSeconds, double writesPerSecond, KeyPopularity popularity) {
    double sum = 0;
    for (int bin = 0; bin < popularity.bins(); bin++) {
      double writes = writesPerSecond * popularity.writesPerKey(bin);
      if (writes > 0) {
        double any = 0;
        for (double tp : tpSeconds) {
          any += Poisson.any(writes * tp);
        }
        sum += popularity.reads(bin) * any;
      }
    }
    return Math.min(1, sum / tpSeconds.length);
  }
}
