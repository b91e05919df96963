package org.calando.papers;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.calando.papers.Claim.Effect;
import org.calando.papers.Claim.OverMean;
import org.calando.papers.Claim.Point;
import org.calando.report.Statistics;

/** Finds the ratios of a study that claims are on, and corrects their p-values. Stateless. */
final class RatioJudge {
  /** A change of load is not shown by numbers of threads that are off by more than this. */
  private static final double LOAD_TOLERANCE = 1.25;

  /** Elsewhere a number of threads stands for another one that is off by no more than this. */
  static final double STAND_IN_TOLERANCE = 2;

  private static final String CONTRAST = "contrast";

  private RatioJudge() {}

  /**
   * A ratio, and what to mind of it.
   *
   * @param adjustedP p-value after Holm's correction over the claims of the same finding
   */
  record Found(Statistics.Ratio ratio, double adjustedP, List<String> notes) {
    private static final Found NONE = missing("");

    static Found missing(String note) {
      return new Found(Statistics.ratio(new double[0], new double[0]), Double.NaN, List.of(note));
    }

    private Found withP(double p) {
      return new Found(ratio, p, notes);
    }
  }

  /** What the study has for each claim; nothing for claims that are on no ratio. */
  static List<Found> find(List<Claim> claims, Runs runs) {
    List<Found> found = new ArrayList<>();
    for (Claim claim : claims) {
      if (claim instanceof Claim.Ratio ratio) {
        found.add(ratio.over().isAll() ? whole(ratio, runs) : find(ratio, runs));
      } else if (claim instanceof OverMean mean) {
        found.add(
            new Found(
                runs.overMean(mean.figure(), mean.at()),
                Double.NaN,
                List.of(provenance(mean.figure(), mean.at(), runs))));
      } else {
        found.add(Found.NONE);
      }
    }
    adjust(claims, found);
    return found;
  }

  /** Holm's correction over the claims of each finding. */
  private static void adjust(List<Claim> claims, List<Found> found) {
    Set<String> findings = new LinkedHashSet<>();
    claims.forEach(claim -> findings.add(finding(claim)));
    for (String finding : findings) {
      int[] members =
          IntStream.range(0, claims.size())
              .filter(i -> finding(claims.get(i)).equals(finding))
              .toArray();
      double[] p =
          Statistics.holm(
              IntStream.of(members).mapToDouble(i -> found.get(i).ratio().p()).toArray());
      for (int i = 0; i < members.length; i++) {
        found.set(members[i], found.get(members[i]).withP(p[i]));
      }
    }
  }

  private static String finding(Claim claim) {
    if (claim instanceof OverMean) {
      return CONTRAST;
    }
    return claim instanceof Effect effect ? effect.finding() : "";
  }

  private static Found whole(Claim.Ratio claim, Runs runs) {
    Statistics.Ratio ratio = runs.ratio(claim.figure(), claim.over(), claim.under());
    return ratio.present()
        ? new Found(
            ratio,
            Double.NaN,
            List.of(
                runs.cases(claim.over().level()).size() + " mixes and loads",
                provenance(claim.figure(), claim.over(), runs)))
        : Found.missing("the study lacks a level, or has it at other mixes and loads");
  }

  private static Found find(Claim.Ratio claim, Runs runs) {
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
    notes.add(provenance(claim.figure(), numerator, runs));
    Statistics.Ratio ratio = runs.ratio(claim.figure(), numerator, denominator);
    return ratio.present()
        ? new Found(ratio, Double.NaN, notes)
        : Found.missing("no block has both, with joules that came about alike");
  }

  /** Tells where another number of threads had to do. */
  static String stands(Point used, Point published) {
    return used.threads() == published.threads()
        ? ""
        : used.threads() + " threads here stand for " + published.threads();
  }

  /** How the joules of a figure of energy came about; empty for other figures. */
  static String provenance(Claim.Figure figure, Point at, Runs runs) {
    return figure.isEnergy()
        ? runs.at(at).stream().map(row -> row.provenance()).findFirst().orElse("")
        : "";
  }
}
