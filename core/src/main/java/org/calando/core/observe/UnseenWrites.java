package org.calando.core.observe;

import org.calando.core.policy.Observation.Rates;

/**
 * Which share of a table's writes nobody saw the keys of: what the servers counted less the own
 * ones, over the same stretches of time. Not thread safe.
 */
public final class UnseenWrites {
  /** Fewer writes than this are how counts scatter. */
  private static final double LEAST = 2;

  private final long longestNanos;
  private double counted;
  private long own;
  private long countedUntilNanos;
  private long ownUntil;
  private boolean begun;
  private int stretches;
  private double share = 1;

  /**
   * Nothing is counted yet.
   *
   * @param longestNanos a longer time between two figures is left out, as after a rest
   */
  public UnseenWrites(long longestNanos) {
    this.longestNanos = longestNanos;
  }

  /**
   * Takes what servers counted since the last time; figures that are no newer count once.
   *
   * @param ownWrites how many writes' keys were seen so far, in all
   */
  public void count(Rates rates, long ownWrites) {
    long stretch = rates.atNanos() - countedUntilNanos;
    if (begun && stretch == 0) {
      return;
    }
    if (begun && stretch > 0 && stretch <= longestNanos) {
      counted += rates.writesPerSecond() * (stretch / 1e9);
      own += ownWrites - ownUntil;
      stretches++;
    }
    begun = true;
    countedUntilNanos = rates.atNanos();
    ownUntil = ownWrites;
  }

  /** Whether something was counted in this window. */
  public boolean isCounted() {
    return stretches > 0;
  }

  /** Forgets what was counted in this window, and begins with the next figure. */
  public void beginAnew() {
    counted = 0;
    own = 0;
    stretches = 0;
    begun = false;
  }

  /**
   * Ends a window.
   *
   * @return 0 .. 1; 1 where servers counted none, for the next one may be anybody's, and until
   *     anything was counted; that of the window before if nothing new was counted in this one
   */
  public double share() {
    if (stretches > 0) {
      double unseen = counted - own < LEAST ? 0 : counted - own;
      share = counted <= 0 ? 1 : unseen / counted;
    }
    counted = 0;
    own = 0;
    stretches = 0;
    return share;
  }
}
