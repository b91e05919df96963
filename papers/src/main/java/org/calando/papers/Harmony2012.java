package org.calando.papers;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.calando.papers.Claim.Fewer;
import org.calando.papers.Claim.Figure;
import org.calando.papers.Claim.Flat;
import org.calando.papers.Claim.NeverStale;
import org.calando.papers.Claim.Order;
import org.calando.papers.Claim.Point;
import org.calando.report.PublishedClaim.Kind;
import org.calando.report.RunRow;
import org.calando.report.column.LevelColumns;
import org.calando.report.column.LoadColumns;

/**
 * What Chihoub et al. 2012, "Harmony", published of 84 nodes of Grid'5000 and 20 of EC2. Their
 * figures have no readable values, so most of it is order; what their text gives is here.
 * docs/papers/harmony-2012.md tells what was taken for what.
 */
final class Harmony2012 {
  static final String GRID5000 = "harmony-2012-grid5000";
  static final String EC2 = "harmony-2012-ec2";

  /** Where it was measured. */
  enum Platform {
    GRID5000(0.2, 0.4, "a"),
    EC2(0.4, 0.6, "b");

    private final double strict;
    private final double loose;
    private final String panel;

    Platform(double strict, double loose, String panel) {
      this.strict = strict;
      this.loose = loose;
      this.panel = panel;
    }
  }

  private static final String UPDATES = "ycsb-a";
  private static final String READS = "ycsb-b";
  private static final String ONE = "ONE";
  private static final String STRONG = "ALL/ONE";

  /** The load at which the paper's throughput is highest. */
  private static final int PEAK = 90;

  /** Beyond it the stricter Harmony is told to have fewer stale reads. */
  private static final int TURN = 40;

  private static final String PAPER = "Chihoub et al. 2012, ";
  private static final String ABSTRACT = PAPER + "abstract";

  private static final Figure LATENCY =
      new Figure("p99 of reads", row -> row.number(LoadColumns.READ_P99_US), false, Kind.RATIO);
  private static final Figure ESTIMATE =
      new Figure(
          "published estimate", row -> row.number(LevelColumns.HARMONY_ONE), false, Kind.SHARE);

  private final Platform platform;
  private final Runs runs;
  private final String strict;
  private final String loose;
  private final Set<Integer> threads;

  private Harmony2012(Platform platform, Runs runs) {
    this.platform = platform;
    this.runs = runs;
    this.strict = harmony(platform.strict);
    this.loose = harmony(platform.loose);
    this.threads = runs.threads(UPDATES);
  }

  /** The claims on a platform, of the levels and loads that a study has. */
  static List<Claim> claims(Platform platform, Runs runs) {
    Harmony2012 paper = new Harmony2012(platform, runs);
    List<Claim> claims = new ArrayList<>();
    paper.estimates(claims);
    paper.speeds(claims);
    paper.staleReads(claims);
    return claims;
  }

  /**
   * The level that results name a published Harmony by: the one that takes Tp from the network, as
   * the paper does, before one that measures it.
   */
  private String harmony(double tolerated) {
    List<String> found =
        runs.levels().stream().filter(level -> isHarmony(runs.first(level), tolerated)).toList();
    return found.stream()
        .filter(level -> level.contains("Tp "))
        .findFirst()
        .or(() -> found.stream().findFirst())
        .orElse("Harmony %.0f%%".formatted(tolerated * 100));
  }

  private static boolean isHarmony(RunRow row, double tolerated) {
    return row.text(LevelColumns.POLICY).equals("harmony")
        && Math.abs(row.number(LevelColumns.TOLERATED) - tolerated) < 1e-6;
  }

  private void estimates(List<Claim> claims) {
    String source = PAPER + "section V.D, Figure 4(a)";
    claims.add(
        order(
            "published estimate, heavy reads below heavy updates, each load",
            ESTIMATE,
            threads.stream().map(t -> List.of(new Point(READS, ONE, t), point(ONE, t))).toList(),
            source,
            "estimated in the runs at ONE"));
    claims.add(
        order(
            "published estimate, grows with threads, " + UPDATES,
            ESTIMATE,
            List.of(threads.stream().map(t -> point(ONE, t)).toList()),
            source,
            "estimated in the runs at ONE"));
  }

  private void speeds(List<Claim> claims) {
    String latency = PAPER + "section V.E, Figure 5(" + platform.panel + ")";
    String throughput =
        PAPER + "section V.E, Figure 5(" + (platform == Platform.GRID5000 ? "c" : "d") + ")";
    claims.add(
        order(
            "p99 of reads, order: ONE, Harmony less and more strict, ALL",
            LATENCY,
            chains(ONE, loose, strict, STRONG),
            latency,
            ""));
    claims.add(
        new Flat(
            LATENCY,
            point(strict, PEAK),
            point(ONE, PEAK),
            1,
            latency,
            "published as almost the same; judged as a change below 10 %"));
    claims.add(
        order(
            "throughput, order: ALL, Harmony more and less strict, ONE",
            Li2013.THROUGHPUT,
            chains(STRONG, strict, loose, ONE),
            throughput,
            ""));
    claims.add(
        new Flat(
            Li2013.THROUGHPUT,
            point(loose, PEAK),
            point(ONE, PEAK),
            1,
            throughput,
            "published as comparable; judged as a change below 10 %"));
    claims.add(
        order(
            "throughput, grows with threads up to " + PEAK,
            Li2013.THROUGHPUT,
            List.of(STRONG, strict, loose, ONE).stream()
                .map(level -> upTo(PEAK).stream().map(t -> point(level, t)).toList())
                .toList(),
            throughput,
            ""));
    claims.add(
        order(
            "throughput, falls beyond " + PEAK + " threads",
            Li2013.THROUGHPUT,
            List.of(STRONG, strict, loose, ONE).stream()
                .map(level -> List.of(point(level, 100), point(level, PEAK)))
                .toList(),
            throughput,
            "explained there by more threads than hosts, which a simulated client does not feel"));
    if (platform == Platform.GRID5000) {
      claims.add(
          new Claim.Effect(
              "throughput",
              Li2013.THROUGHPUT,
              point(strict, PEAK),
              point(STRONG, PEAK),
              1.45,
              ABSTRACT,
              "the paper names no load; this is where its throughput peaks"));
    }
  }

  private void staleReads(List<Claim> claims) {
    String source = PAPER + "section V.F, Figure 6(" + platform.panel + ")";
    claims.add(
        order(
            "stale reads, order: Harmony more and less strict, ONE",
            Li2013.STALE,
            chains(strict, loose, ONE),
            source,
            "the paper counts by dual reads, which see writes between the two as staleness"));
    claims.add(
        order(
            "stale reads, fewer at %d than at %d threads, %s".formatted(PEAK, TURN, strict),
            Li2013.STALE,
            List.of(List.of(point(strict, PEAK), point(strict, TURN))),
            source,
            ""));
    claims.add(new NeverStale(List.of(STRONG), source, ""));
    if (platform == Platform.GRID5000) {
      claims.add(
          new Fewer(
              Li2013.STALE,
              point(strict, PEAK),
              point(ONE, PEAK),
              0.8,
              ABSTRACT,
              "published as almost 80 %; the paper names no load"));
    }
  }

  private List<Integer> upTo(int most) {
    return threads.stream().filter(t -> t <= most).toList();
  }

  /** The levels from the least to the most, at each number of threads. */
  private List<List<Point>> chains(String... levels) {
    return threads.stream()
        .map(t -> List.of(levels).stream().map(level -> point(level, t)).toList())
        .toList();
  }

  private static Point point(String level, int threads) {
    return new Point(UPDATES, level, threads);
  }

  /** An order, of those chains that have two points at least. */
  private static Claim order(
      String words, Figure figure, List<List<Point>> chains, String source, String note) {
    return new Order(
        words, figure, chains.stream().filter(c -> c.size() > 1).toList(), source, note);
  }
}
