package org.calando.papers;

import java.util.ArrayList;
import java.util.List;
import org.calando.papers.Claim.Effect;
import org.calando.papers.Claim.Figure;
import org.calando.papers.Claim.Point;
import org.calando.report.PublishedClaim.Kind;
import org.calando.report.column.LoadColumns;

/**
 * What section 5 of Li's thesis tells of token layouts against the even one: moderate reads and
 * updates at 70 threads.
 */
final class Li2013Layouts {
  private static final String ENERGY = "energy by layout";
  private static final String OTHERS = "what explains energy by layout";
  private static final String WRONG_SIGN =
      "a queueing model of these nodes has more energy in uneven layouts: the other sign";
  private static final Figure TIME =
      new Figure("execution time", row -> row.number(LoadColumns.DURATION_S), false, Kind.RATIO);

  private Li2013Layouts() {}

  static List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    energy(claims, "ONE", 18, -0.18, -0.08, -0.10);
    effect(claims, Li2013.POWER, "ONE", "half", -0.02, 18);
    effect(claims, TIME, "ONE", "half", -0.165, 18);
    effect(claims, Li2013.STALE, "ONE", "half", -0.046, 18);
    effect(claims, Li2013.STALE, "ONE", "third", 0.07, 18);
    effect(claims, Li2013.STALE, "ONE", "two-thirds", 0.09, 18);
    energy(claims, "QUORUM", 19, -0.24, -0.035, -0.096);
    energy(claims, "ALL", 20, -0.21, 0.143, -0.11);
    effect(claims, Li2013.POWER, "ALL", "third", -0.02, 20);
    effect(claims, TIME, "ALL", "third", 0.16, 20);
    return claims;
  }

  private static void energy(
      List<Claim> claims, String level, int figure, double half, double third, double twoThirds) {
    claims.add(effect(ENERGY, Li2013.ENERGY, level, "half", half, figure, WRONG_SIGN));
    claims.add(effect(ENERGY, Li2013.ENERGY, level, "third", third, figure, WRONG_SIGN));
    claims.add(effect(ENERGY, Li2013.ENERGY, level, "two-thirds", twoThirds, figure, WRONG_SIGN));
  }

  private static void effect(
      List<Claim> claims, Figure of, String level, String layout, double change, int figure) {
    claims.add(effect(OTHERS, of, level, layout, change, figure, ""));
  }

  private static Claim effect(
      String finding,
      Figure of,
      String level,
      String layout,
      double change,
      int figure,
      String note) {
    Point even = new Point(Li2013.MODERATE, level, 70);
    return new Effect(
        finding,
        of,
        even.withLayout(layout),
        even,
        1 + change,
        "Li 2013, section 5, Figure " + figure,
        note);
  }
}
