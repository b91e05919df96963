package org.calando.core.staleness;

import java.util.function.DoubleUnaryOperator;
import java.util.function.IntFunction;

/** Estimates from a {@link StaleWindow} for each number of replicas read. */
class WindowStaleness implements StaleDepthEstimate {
  private final IntFunction<StaleWindow> windows;
  private final KeyPopularity popularity;
  private final double writesPerSecond;
  private final double[] rates;

  /**
   * With rates that were worked out in a quicker way, which it keeps.
   *
   * @param windows makes or gives the window of a number of replicas read
   */
  WindowStaleness(
      IntFunction<StaleWindow> windows,
      KeyPopularity popularity,
      double writesPerSecond,
      double[] rates) {
    this.windows = windows;
    this.popularity = popularity;
    this.writesPerSecond = writesPerSecond;
    this.rates = rates;
  }

  WindowStaleness(StaleWindow[] windows, KeyPopularity popularity, double writesPerSecond) {
    this(read -> windows[read - 1], popularity, writesPerSecond, new double[windows.length]);
    Overlap.require("writes per second", writesPerSecond);
    for (int i = 0; i < rates.length; i++) {
      StaleWindow window = windows[i];
      // No larger read may seem to be worse.
      rates[i] = Math.min(i == 0 ? 1 : rates[i - 1], overKeys(window::rate));
    }
  }

  @Override
  public final int replicas() {
    return rates.length;
  }

  @Override
  public final double rate(int read) {
    Overlap.require("a read of", read, rates.length);
    return rates[read - 1];
  }

  @Override
  public final double rateOfVersions(int read, int versions) {
    StaleWindow window = window(read);
    return overKeys(writes -> window.rateOfVersions(writes, versions));
  }

  private StaleWindow window(int read) {
    Overlap.require("a read of", read, rates.length);
    return windows.apply(read);
  }

  /** The mean over reads of what holds for a key of so many writes per second. */
  private double overKeys(DoubleUnaryOperator rate) {
    double sum = 0;
    for (int bin = 0; bin < popularity.bins(); bin++) {
      double writes = writesPerSecond * popularity.writesPerKey(bin);
      sum += popularity.reads(bin) * rate.applyAsDouble(writes);
    }
    return Math.min(1, sum);
  }
}
