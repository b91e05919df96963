package org.calando.knob.level;

import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;

/*
 * A policy promises that at most a tolerated share of its reads is stale. Single reads of a run are correlated, so the
 * interval is Student's over the rates of the blocks, and one block proves nothing. The promise is kept if even the
 * upper end is at most one point above what is tolerated, broken if even the lower end is above that.
 */
/**
 * Whether a policy kept its promise. Immutable.
 *
 * @param stale stale reads per read checked, over blocks
 * @param tolerated share of stale reads that is tolerated, 0 to 1; NaN if the policy promises none
 * @param verdict what the blocks say
 */
record Promise(Estimate stale, double tolerated, Verdict verdict) {
  /** What a verdict allows above the tolerated rate: one point. */
  static final double SLACK = 0.01;

  /** What the blocks say. */
  enum Verdict {
    KEPT("kept"),
    BROKEN("broken"),
    UNDECIDED("undecided"),
    /** There is no tolerated rate, or no block that checked its reads. */
    NONE("");

    private final String word;

    Verdict(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /**
   * The verdict on a policy.
   *
   * @param rates stale rate of each block, NaN where none was checked
   */
  static Promise of(double tolerated, double... rates) {
    Estimate stale = Statistics.estimate(rates);
    return new Promise(stale, tolerated, verdict(stale, tolerated));
  }

  private static Verdict verdict(Estimate stale, double tolerated) {
    if (Double.isNaN(tolerated) || !stale.present()) {
      return Verdict.NONE;
    }
    double bound = tolerated + SLACK;
    if (stale.hasInterval() && stale.high() <= bound) {
      return Verdict.KEPT;
    }
    return stale.hasInterval() && stale.low() > bound ? Verdict.BROKEN : Verdict.UNDECIDED;
  }
}
