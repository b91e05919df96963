package org.calando.study.paper;

import org.calando.study.paper.Claim.Point;

/** What claims are called in tables. */
final class ClaimWords {
  private ClaimWords() {}

  /** Such as {@code energy, QUORUM against ONE, heavy-update, 20 threads}. */
  static String of(Claim.Ratio claim) {
    Point over = claim.over();
    Point under = claim.under();
    String figure = claim.figure().words() + ", ";
    if (!over.level().equals(under.level())) {
      return figure
          + over.level()
          + " against "
          + under.level()
          + ", "
          + over.workload()
          + ", "
          + over.threads()
          + " threads";
    }
    if (over.threads() != under.threads()) {
      return figure
          + over.threads()
          + " against "
          + under.threads()
          + " threads, "
          + over.workload()
          + ", "
          + over.level();
    }
    return figure
        + over.workload()
        + " against "
        + under.workload()
        + ", "
        + over.level()
        + ", "
        + over.threads()
        + " threads";
  }

  static String of(Point point) {
    return point.workload() + ", " + point.level() + ", " + point.threads() + " threads";
  }
}
