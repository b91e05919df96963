package org.calando.core.observe;

import java.util.Optional;

/** What a cluster's clients can be promised. */
public enum Promised {
  /** The share of reads that are stale; 0 to 1, at most the limit. */
  STALE("stale", "share", true),
  /** Seconds from the call of a write until others can read it, for 99 % of the writes. */
  FRESH("fresh", "seconds", true),
  /** Seconds that 99 % of the reads take at most. */
  READ_P99("read-p99", "seconds", true),
  /** Live replicas of the data that has the fewest. */
  COPIES("copies", "nodes", false),
  /** Nodes that may fail at once while all data stays readable; below 0 if some is not now. */
  SURVIVE("survive", "nodes", false);

  private final String word;
  private final String unit;
  private final boolean atMost;

  Promised(String word, String unit, boolean atMost) {
    this.word = word;
    this.unit = unit;
    this.atMost = atMost;
  }

  /** As files, answers and metrics call it. */
  public String word() {
    return word;
  }

  /** What its figures and limits are in. */
  public String unit() {
    return unit;
  }

  /** Whether what keeps to a limit keeps to another one too. */
  public boolean isAsStrict(double limit, double as) {
    return atMost ? limit <= as : limit >= as;
  }

  /**
   * Whether a figure keeps to a limit.
   *
   * @return empty if the figure is not exact enough to know
   */
  public Optional<Boolean> kept(PromiseFigure figure, double limit) {
    boolean lowKeeps = atMost ? figure.low() <= limit : figure.low() >= limit;
    boolean highKeeps = atMost ? figure.high() <= limit : figure.high() >= limit;
    return lowKeeps == highKeeps ? Optional.of(highKeeps) : Optional.empty();
  }
}
