package org.calando.papers;

import org.calando.papers.Claim.Point;

/** What claims are called in tables. */
final class ClaimWords {
  private ClaimWords() {}

  /** Such as {@code energy, QUORUM against ONE, heavy-update, 20 threads}. */
  static String of(Claim.Ratio claim) {
    Point over = claim.over();
    Point under = claim.under();
    String figure = claim.figure().words() + ", ";
    if (!over.layout().equals(under.layout())) {
      return figure + over.layout() + " against " + under.layout() + ", " + of(over);
    }
    if (!over.level().equals(under.level())) {
      return figure + over.level() + " against " + under.level() + ", " + where(over);
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

  /** Such as {@code stale reads, fewer at A than at ONE, ycsb-a, 90 threads}. */
  static String of(Claim.Fewer claim) {
    return claim.figure().words()
        + ", fewer with "
        + claim.of().level()
        + " than with "
        + claim.than().level()
        + ", "
        + where(claim.of());
  }

  static String of(Point point) {
    return point.workload() + ", " + point.level() + ", " + point.threads() + " threads";
  }

  private static String where(Point point) {
    return point.isAll()
        ? "all mixes and loads"
        : point.workload() + ", " + point.threads() + " threads";
  }
}
