package org.calando.promise;

/** What became of a promise. */
enum Verdict {
  /** The share is within it. */
  KEPT("kept"),
  /** So is not even the lower end of the share's interval. */
  BROKEN("BROKEN"),
  /** The share is above it, its interval is not. */
  UNDECIDED("undecided"),
  /** Too few reads to tell a kept promise from luck. */
  TOO_FEW("too few reads"),
  /** More than one read of a hundred failed, so the rest says little. */
  ERRORS("ERRORS");

  private static final double MOST_ERRORS = 0.01;
  private static final double STALE_EXPECTED = 10;
  private static final double NONE_SEEN = 3;

  private final String label;

  Verdict(String label) {
    this.label = label;
  }

  /**
   * Judges.
   *
   * @param share of stale reads
   * @param promised share
   * @param errors reads that failed
   * @param staticStale share of stale reads at ONE, which tells how many to expect
   */
  static Verdict of(Share share, double promised, long errors, double staticStale) {
    if (errors > MOST_ERRORS * (share.count() + errors)) {
      return ERRORS;
    }
    if (share.low() > promised) {
      return BROKEN;
    }
    double expected = Math.min(promised, staticStale) * share.count();
    if (expected < STALE_EXPECTED && share.count() < NONE_SEEN / promised) {
      return TOO_FEW;
    }
    return share.value() <= promised ? KEPT : UNDECIDED;
  }

  String label() {
    return label;
  }
}
