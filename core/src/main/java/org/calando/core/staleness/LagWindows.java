package org.calando.core.staleness;

import java.util.Arrays;

/**
 * What measured lags say of the time for which writes are missed, by the number of replicas read:
 * made once for a sample, then used for every table that shares it. Immutable and thread safe.
 *
 * <p>Its making costs milliseconds: some nanoseconds for each sampled write, times the square of N,
 * times eight for each octave between the shortest and the longest lag and some fifteen more.
 */
public final class LagWindows {
  private final StaleWindow[] windows;
  final RateCurves curves;

  private LagWindows(StaleWindow[] windows) {
    this.windows = windows;
    this.curves = new RateCurves(windows);
  }

  /** Of a sample. */
  public static LagWindows of(PropagationLags lags) {
    int replicas = lags.replicas();
    StaleWindow[] windows = new StaleWindow[replicas];
    for (int read = 1; read <= replicas; read++) {
      windows[read - 1] = window(lags, read);
    }
    return new LagWindows(windows);
  }

  /** Replicas, N. */
  public int replicas() {
    return windows.length;
  }

  /**
   * The time for which reads of so many replicas miss a write.
   *
   * @param read X, 1 .. N
   */
  public StaleWindow window(int read) {
    Overlap.require("a read of", read, windows.length);
    return windows[read - 1];
  }

  /**
   * As reads of so many replicas were seen to miss writes; where that was not measured, as if the
   * replicas were random and asked at once.
   */
  private static StaleWindow window(PropagationLags lags, int read) {
    int[] measured = lags.samplesOfReads(read);
    if (measured.length > 0) {
      double[] chances = new double[measured.length];
      Arrays.fill(chances, 1.0 / measured.length);
      return OvertakingWindow.of(lags, measured, lags.ofReads(read), chances);
    }
    int replicas = lags.replicas();
    int samples = lags.samples();
    int[] writes = new int[samples * replicas];
    double[] seconds = new double[writes.length];
    double[] weights = new double[writes.length];
    for (int rank = 1; rank <= replicas; rank++) {
      double chance = Overlap.firstIs(replicas, rank, read) / samples;
      for (int sample = 0; sample < samples; sample++) {
        int at = (rank - 1) * samples + sample;
        writes[at] = sample;
        seconds[at] = lags.lagSeconds(sample, rank);
        weights[at] = chance;
      }
    }
    return OvertakingWindow.of(lags, writes, seconds, weights);
  }
}
