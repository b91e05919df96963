package org.calando.core.observe;

import org.calando.core.policy.Observation.Rates;

/**
 * Which share of a table's writes nobody saw the keys of: what the servers counted less the own
 * ones, over the same time. Not thread safe.
 */
public final class UnseenWrites {
  /** Less than this is how counts scatter. */
  private static final double LEAST = 1e-3;

  private double counted;
  private long untilNanos;
  private boolean begun;

  /** Takes what servers counted since the last time; figures that are no newer count once. */
  public void count(Rates rates) {
    if (begun && rates.atNanos() - untilNanos > 0) {
      counted += rates.writesPerSecond() * ((rates.atNanos() - untilNanos) / 1e9);
    }
    begun = true;
    untilNanos = rates.atNanos();
  }

  /**
   * Ends a window.
   *
   * @param own writes in it whose keys were seen
   * @return 0 .. 1; all where servers counted none, for the next one may be anybody's
   */
  public double share(long own) {
    double share = counted <= 0 ? 1 : Math.max(0, 1 - own / counted);
    counted = 0;
    return share < LEAST ? 0 : share;
  }
}
