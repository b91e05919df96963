package org.calando.papers;

import java.util.List;
import java.util.stream.Stream;
import org.calando.papers.Claim.Effect;
import org.calando.papers.Claim.Figure;
import org.calando.papers.Claim.Flat;
import org.calando.papers.Claim.Level;
import org.calando.papers.Claim.NeverStale;
import org.calando.papers.Claim.Point;
import org.calando.papers.Claim.SomewhereAtLeast;
import org.calando.report.PublishedClaim.Kind;
import org.calando.report.RunRow;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.LoadColumns;

/**
 * What Li's thesis of 2013, "Energy Measurements for Cassandra", published of 39 nodes; only where
 * it prints numbers: its bar charts have no readable values. docs/papers/li-2013.md tells which of
 * its contradictory definitions hold here.
 */
final class Li2013 {
  /** Its name in study files. */
  static final String NAME = "li-2013";

  static final String HEAVY_UPDATE = "heavy-update";
  static final String MODERATE = "moderate";
  static final String HEAVY_READ = "heavy-read";

  // By itself it is of no use: joules of other machines.
  static final Figure ENERGY = new Figure("energy", RunRow::joulesPerKop, true, Kind.RATIO);
  static final Figure THROUGHPUT =
      new Figure("throughput", row -> row.number(LoadColumns.THROUGHPUT_OPS_S), false, Kind.RATIO);
  static final Figure POWER =
      new Figure("mean power", row -> row.number(EnergyColumns.POWER_MEAN_W), true, Kind.RATIO);
  static final Figure POWER_CV =
      new Figure(
          "variation of power over nodes",
          row -> row.number(EnergyColumns.POWER_CV),
          true,
          Kind.SHARE);
  static final Figure STALE =
      new Figure("stale reads, share", RunRow::staleRate, false, Kind.SHARE);

  private static final Point FEW_UPDATES = new Point(HEAVY_UPDATE, "ONE", 20);
  private static final Point FEW_MODERATE = new Point(MODERATE, "ONE", 20);
  private static final Point MANY_MODERATE = new Point(MODERATE, "ONE", 100);
  private static final Point TABLE_1 = new Point(MODERATE, "QUORUM", 20);
  private static final Point TABLE_2 = new Point(HEAVY_READ, "QUORUM", 20);
  private static final Point FIGURE_12 = new Point(HEAVY_UPDATE, "ONE", 70);

  private static final String LEVELS = "energy by level";
  private static final String LEVELS_IN_ALL = "energy by level, all mixes and loads";
  private static final String SPEED = "throughput by level";
  private static final String LOAD = "energy by load";
  private static final String PATTERN = "energy by access pattern";
  private static final String BIAS = "variation by load";

  private static final String SECTION_1 = "Li 2013, section 3.4.1, Figure 10";
  private static final String SECTION_2 = "Li 2013, section 3.4.2, Figure 12";
  private static final String SECTION_3 = "Li 2013, section 3.4.3";
  private static final String FIGURE_13 = "Li 2013, section 3.4.3, Figure 13(b)";
  private static final String SWAPPED =
      "that section swaps the mixes' names; here they are those of section 3.3";

  private Li2013() {}

  /** The claims, in the thesis's order but for the tables and layouts, which come last. */
  static List<Claim> claims() {
    return Stream.of(text(), Li2013Tables.claims(), Li2013Layouts.claims())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Claim> text() {
    return List.of(
        effect(LEVELS, ENERGY, FEW_UPDATES.withLevel("QUORUM"), FEW_UPDATES, 1.29, SECTION_1, ""),
        effect(LEVELS, ENERGY, FEW_UPDATES.withLevel("ALL"), FEW_UPDATES, 1.74, SECTION_1, ""),
        effect(
            LEVELS,
            ENERGY,
            FEW_MODERATE.withLevel("ALL"),
            FEW_MODERATE,
            1.74,
            "Li 2013, section 6",
            "the conclusion gives for moderate what section 3.4.1 gives for heavy updates"),
        whole("QUORUM", 1.29),
        whole("ALL", 1.74),
        effect(
            SPEED,
            THROUGHPUT,
            FEW_UPDATES.withLevel("QUORUM"),
            FEW_UPDATES,
            0.79,
            "Li 2013, section 3.4.1",
            "the text names no mix or load here; it speaks of heavy updates and 20 threads before"),
        new SomewhereAtLeast(
            STALE,
            "ONE",
            0.60,
            "Li 2013, section 3.4.1, Figure 11",
            "published as more than 60 % in some cases; how they were counted is not said"),
        new NeverStale(
            List.of("QUORUM", "ALL"), "Li 2013, section 3.4.1", "inferred there, not measured"),
        effect(
            PATTERN, ENERGY, FIGURE_12.withWorkload(MODERATE), FIGURE_12, 1.50, SECTION_2, SWAPPED),
        effect(
            PATTERN,
            ENERGY,
            FIGURE_12.withWorkload(HEAVY_READ),
            FIGURE_12,
            1.46,
            SECTION_2,
            "the text says 'increases by 46%' and not from what; " + SWAPPED),
        effect(
            LOAD,
            ENERGY,
            TABLE_1.withThreads(70),
            TABLE_1,
            0.49,
            SECTION_3,
            "the text names no mix or level; Table 1 gives 1.01 / 2.04 = 0.50 for this pair"),
        effect(
            LOAD,
            ENERGY,
            TABLE_1.withThreads(100),
            TABLE_1,
            0.51,
            SECTION_3,
            "the text names no mix or level; Table 1 gives 0.65 / 2.04 = 0.32 for this pair"),
        effect(
            SPEED,
            THROUGHPUT,
            MANY_MODERATE.withLevel("QUORUM"),
            MANY_MODERATE,
            0.59,
            FIGURE_13,
            ""),
        effect(
            SPEED, THROUGHPUT, MANY_MODERATE.withLevel("ALL"), MANY_MODERATE, 0.50, FIGURE_13, ""),
        flat(TABLE_1.withThreads(70), 1.03 / 0.97),
        flat(TABLE_1.withThreads(100), 1.001 / 0.97),
        variation(TABLE_2, 0.036),
        variation(TABLE_2.withThreads(100), 0.095),
        effect(
            BIAS,
            POWER_CV,
            TABLE_2.withThreads(70),
            TABLE_2,
            8.0 / 3.6,
            "Li 2013, Table 2",
            "the table's 8.0 % over its 3.6 %"));
  }

  private static Claim effect(
      String finding,
      Figure figure,
      Point over,
      Point under,
      double published,
      String source,
      String note) {
    return new Effect(finding, figure, over, under, published, source, note);
  }

  private static Claim whole(String level, double published) {
    return effect(
        LEVELS_IN_ALL,
        ENERGY,
        Point.all(level),
        Point.all("ONE"),
        published,
        SECTION_1,
        "published of heavy updates at 20 threads");
  }

  private static Claim flat(Point over, double published) {
    return new Flat(
        POWER, over, TABLE_1, published, "Li 2013, Table 1", "flat: judged as a change below 10 %");
  }

  private static Claim variation(Point at, double published) {
    return new Level(
        POWER_CV, at, published, false, "Li 2013, section 3.5, Table 2", "a share, by eq. 3");
  }
}
