package org.calando.study.paper;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.calando.study.paper.Claim.Effect;
import org.calando.study.paper.Claim.Level;
import org.calando.study.paper.Claim.NeverStale;
import org.calando.study.paper.Claim.Point;
import org.calando.study.paper.Claim.SomewhereAtLeast;
import org.calando.study.report.PublishedClaim;
import org.calando.study.report.RunRow;
import org.calando.study.report.Statistics;
import org.calando.study.report.Statistics.Estimate;

/**
 * Sets a study's figures beside those that a paper published, with a verdict on each by a rule that
 * docs/papers/li-2013.md states. Stateless and thread safe.
 */
public final class PublishedFigures {
  /** Names of the papers. */
  public static final List<String> PAPERS = List.of(Li2013.NAME);

  /** A change of load is not shown by numbers of threads that are off by more than this. */
  private static final double LOAD_TOLERANCE = 1.25;

  /** Elsewhere a number of threads stands for another one that is off by no more than this. */
  private static final double STAND_IN_TOLERANCE = 2;

  private final Runs runs;

  private PublishedFigures(Runs runs) {
    this.runs = runs;
  }

  /**
   * Judges all of a paper's claims.
   *
   * @param paper one of {@link #PAPERS}; of another there is nothing to judge
   * @param rows the study's runs
   * @return the claims in the paper's order
   */
  public static List<PublishedClaim> of(String paper, List<RunRow> rows) {
    if (!paper.equals(Li2013.NAME)) {
      return List.of();
    }
    PublishedFigures figures = new PublishedFigures(new Runs(rows));
    List<Claim> claims = Li2013.claims();
    List<Found> found =
        claims.stream()
            .map(claim -> claim instanceof Claim.Ratio ratio ? figures.find(ratio) : Found.NONE)
            .toList();
    double[] adjusted = adjust(claims, found);
    return IntStream.range(0, claims.size())
        .mapToObj(i -> figures.judge(claims.get(i), found.get(i), adjusted[i]))
        .toList();
  }

  /** A ratio, and what to mind of it. */
  private record Found(Statistics.Ratio ratio, List<String> notes) {
    private static final Found NONE = missing("");

    static Found missing(String note) {
      return new Found(Statistics.ratio(new double[0], new double[0]), List.of(note));
    }
  }

  /** Holm's correction over the claims of each finding. */
  private static double[] adjust(List<Claim> claims, List<Found> found) {
    double[] adjusted = new double[claims.size()];
    Set<String> findings = new LinkedHashSet<>();
    claims.forEach(claim -> findings.add(finding(claim)));
    for (String finding : findings) {
      int[] members =
          IntStream.range(0, adjusted.length)
              .filter(i -> finding(claims.get(i)).equals(finding))
              .toArray();
      double[] p =
          Statistics.holm(
              IntStream.of(members).mapToDouble(i -> found.get(i).ratio().p()).toArray());
      for (int i = 0; i < members.length; i++) {
        adjusted[members[i]] = p[i];
      }
    }
    return adjusted;
  }

  private static String finding(Claim claim) {
    return claim instanceof Effect effect ? effect.finding() : "";
  }

  private Found find(Claim.Ratio claim) {
    boolean load = claim.over().threads() != claim.under().threads();
    double tolerance = load ? LOAD_TOLERANCE : STAND_IN_TOLERANCE;
    OptionalInt over = runs.nearestThreads(claim.over(), tolerance);
    OptionalInt under = runs.nearestThreads(claim.under(), tolerance);
    if (over.isEmpty() || under.isEmpty()) {
      return Found.missing(
          load
              ? "the study lacks %d or %d threads there"
                  .formatted(claim.under().threads(), claim.over().threads())
              : "the study has no such pair");
    }
    Point numerator = claim.over().withThreads(over.getAsInt());
    Point denominator = claim.under().withThreads(under.getAsInt());
    List<String> notes = new ArrayList<>();
    notes.add(stands(numerator, claim.over()));
    if (load || over.getAsInt() != under.getAsInt()) {
      notes.add(stands(denominator, claim.under()));
    }
    if (claim.figure().isEnergy()) {
      notes.add(provenance(runs.at(numerator)));
    }
    return new Found(runs.ratio(claim.figure(), numerator, denominator), notes);
  }

  /** Tells where another number of threads had to do. */
  private static String stands(Point used, Point published) {
    return used.threads() == published.threads()
        ? ""
        : used.threads() + " threads here stand for " + published.threads();
  }

  private static String provenance(List<RunRow> rows) {
    return rows.stream().map(RunRow::provenance).findFirst().orElse("");
  }

  private PublishedClaim judge(Claim claim, Found found, double adjustedP) {
    if (claim instanceof Claim.Ratio ratio) {
      Verdict verdict =
          claim instanceof Effect
              ? Verdict.ofEffect(claim.published(), found.ratio(), adjustedP)
              : Verdict.ofFlat(found.ratio());
      return row(
          ClaimWords.of(ratio),
          claim,
          found.ratio().ratio(),
          found.ratio().low(),
          found.ratio().high(),
          verdict,
          notes(claim, found.notes(), found.ratio().blocks()));
    }
    if (claim instanceof Level level) {
      return judge(level);
    }
    if (claim instanceof SomewhereAtLeast level) {
      return judge(level);
    }
    return judge((NeverStale) claim);
  }

  private PublishedClaim judge(Level claim) {
    OptionalInt threads = runs.nearestThreads(claim.at(), STAND_IN_TOLERANCE);
    Point at = claim.at().withThreads(threads.orElse(claim.at().threads()));
    List<RunRow> rows = runs.at(at);
    Estimate ours = estimate(claim.figure(), rows);
    String words = claim.figure().words() + ", " + ClaimWords.of(claim.at());
    List<String> notes = List.of(stands(at, claim.at()), provenance(rows));
    return row(
        words,
        claim,
        ours.mean(),
        ours.low(),
        ours.high(),
        Verdict.ofLevel(claim.published(), false, ours),
        notes(claim, notes, ours.n()));
  }

  private PublishedClaim judge(SomewhereAtLeast claim) {
    List<List<RunRow>> cases = runs.cases(claim.level());
    Estimate ours = estimate(claim.figure(), List.of());
    String where = "";
    for (List<RunRow> rows : cases) {
      Estimate here = estimate(claim.figure(), rows);
      if (here.present() && !(here.mean() <= ours.mean())) {
        ours = here;
        where =
            "the highest of "
                + cases.size()
                + " cases: "
                + rows.get(0).text("workload")
                + ", "
                + rows.get(0).text("threads")
                + " threads";
      }
    }
    return row(
        claim.figure().words() + ", some case at " + claim.level(),
        claim,
        ours.mean(),
        ours.low(),
        ours.high(),
        Verdict.ofLevel(claim.published(), true, ours),
        notes(claim, List.of(where), ours.n()));
  }

  private PublishedClaim judge(NeverStale claim) {
    double reads = 0;
    double stale = 0;
    double fewest = Double.POSITIVE_INFINITY;
    for (String level : claim.levels()) {
      double here = 0;
      for (List<RunRow> rows : runs.cases(level)) {
        here += rows.stream().mapToDouble(row -> zeroIfAbsent(row.number("reads"))).sum();
        stale += rows.stream().mapToDouble(row -> zeroIfAbsent(row.number("stale_reads"))).sum();
      }
      reads += here;
      fewest = Math.min(fewest, here);
    }
    String words = "stale reads, share, at " + String.join(" and ", claim.levels());
    String count = String.format(java.util.Locale.ROOT, "%.0f of %.0f reads", stale, reads);
    return row(
        words,
        claim,
        reads > 0 ? stale / reads : Double.NaN,
        Double.NaN,
        Double.NaN,
        // Of a level without a read nothing is known, and the claim is on all of them.
        Verdict.ofNever(fewest, stale),
        notes(claim, List.of(count), 2));
  }

  private static double zeroIfAbsent(double number) {
    return Double.isNaN(number) ? 0 : number;
  }

  private static Estimate estimate(Claim.Figure figure, List<RunRow> rows) {
    return Statistics.estimate(rows.stream().mapToDouble(figure.of()).toArray());
  }

  private static String notes(Claim claim, List<String> found, int blocks) {
    List<String> notes = new ArrayList<>(found);
    if (blocks == 1) {
      notes.add("one repeat: no interval");
    }
    notes.add(claim.note());
    return String.join("; ", notes.stream().filter(note -> !note.isEmpty()).toList());
  }

  private static PublishedClaim row(
      String words,
      Claim claim,
      double ours,
      double low,
      double high,
      Verdict verdict,
      String note) {
    return new PublishedClaim(
        words,
        claim.source(),
        claim instanceof Claim.Ratio ? PublishedClaim.Kind.RATIO : PublishedClaim.Kind.SHARE,
        claim.published(),
        ours,
        low,
        high,
        verdict.words(),
        note);
  }
}
