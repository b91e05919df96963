package org.calando.papers;

import java.util.ArrayList;
import java.util.List;
import org.calando.papers.Claim.Figure;
import org.calando.papers.Claim.Level;
import org.calando.papers.Claim.OverMean;
import org.calando.papers.Claim.Point;
import org.calando.report.PublishedClaim.Kind;
import org.calando.report.column.EnergyColumns;

/** Tables 1 to 5 of Li's thesis, all at QUORUM, of 20, 70 and 100 threads. */
final class Li2013Tables {
  private static final int[] THREADS = {20, 70, 100};
  private static final List<String> MIXES =
      List.of(Li2013.HEAVY_UPDATE, Li2013.MODERATE, Li2013.HEAVY_READ);

  private static final Figure POWER_DIFFERENCE =
      new Figure(
          "most less least power of a node",
          row -> row.number(EnergyColumns.POWER_MAX_MIN),
          true,
          Kind.WATTS);
  private static final Figure CPU_VARIATION =
      new Figure(
          "variation of CPU use over nodes",
          row -> row.number(EnergyColumns.CPU_CV),
          false,
          Kind.SHARE);
  private static final Figure CPU_DIFFERENCE =
      new Figure(
          "most less least CPU use of a node",
          row -> row.number(EnergyColumns.CPU_MAX_MIN),
          false,
          Kind.POINTS);

  private static final double PERCENT = 0.01;

  private Li2013Tables() {}

  /** A claim for each number printed, but for the two that the text repeats. */
  static List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    contrast(claims, Li2013.ENERGY, 1.04, 0.01, -0.35);
    contrast(claims, Li2013.THROUGHPUT, -0.6, -0.13, 0.33);
    contrast(claims, Li2013.POWER, -0.03, 0.03, 0.001);
    table(claims, 2, Li2013.POWER_CV, PERCENT, "a share, by eq. 3", 6.4, 8.9, 8.4, 6.2, 8.8, 7.0);
    claims.add(level(2, Li2013.POWER_CV, Li2013.HEAVY_READ, 70, 0.08, "a share, by eq. 3"));
    String watts = "printed as %; eq. 4 divides watts by 100, taken as their unit";
    table(
        claims,
        3,
        POWER_DIFFERENCE,
        1,
        watts,
        16.6,
        24.4,
        25.2,
        16.5,
        31.4,
        23.1,
        10.4,
        23.4,
        30.0);
    table(
        claims,
        4,
        CPU_VARIATION,
        PERCENT,
        "a share, by eq. 3",
        35.6,
        31.6,
        24.0,
        41.1,
        28.9,
        20.1,
        34.4,
        26.7,
        25.7);
    table(claims, 5, CPU_DIFFERENCE, 1, "", 32.5, 47.5, 50.0, 43.2, 52.2, 52.4, 28.0, 44.8, 45.7);
    return claims;
  }

  /** A row of Table 1: (x - mean) / mean, of moderate reads and updates, by threads. */
  private static void contrast(List<Claim> claims, Figure figure, double... contrasts) {
    for (int i = 0; i < contrasts.length; i++) {
      claims.add(
          new OverMean(
              figure,
              new Point(Li2013.MODERATE, "QUORUM", THREADS[i]),
              1 + contrasts[i],
              "Li 2013, section 3.5, Table 1",
              "the table prints this less 1"));
    }
  }

  /** The rows of a table, mix after mix, each by threads. */
  private static void table(
      List<Claim> claims, int number, Figure figure, double unit, String note, double... values) {
    for (int i = 0; i < values.length; i++) {
      String mix = MIXES.get(i / THREADS.length);
      int threads = THREADS[i % THREADS.length];
      claims.add(level(number, figure, mix, threads, values[i] * unit, note));
    }
  }

  private static Claim level(
      int number, Figure figure, String mix, int threads, double published, String note) {
    Point at = new Point(mix, "QUORUM", threads);
    String source = "Li 2013, section 3.5, Table " + number;
    return new Level(figure, at, published, true, source, note);
  }
}
