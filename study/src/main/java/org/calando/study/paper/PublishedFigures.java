package org.calando.study.paper;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.calando.study.report.PublishedClaim;
import org.calando.study.report.RunRow;

/**
 * Sets a study's figures beside those that a paper published, with a verdict on each by a rule that
 * docs/papers/li-2013.md states. Stateless and thread safe.
 */
public final class PublishedFigures {
  /** Names of the papers. */
  public static final List<String> PAPERS =
      List.of(
          Li2013.NAME,
          Harmony2012.GRID5000,
          Harmony2012.EC2,
          Concerto2021.NAME,
          GarciaRecuero2014.NAME);

  private PublishedFigures() {}

  /**
   * Judges all of a paper's claims; those that a study of another shape has nothing to say of, such
   * as layouts, are left out.
   *
   * @param paper one of {@link #PAPERS}; of another there is nothing to judge
   * @param rows the study's runs
   * @return the claims in the paper's order
   */
  public static List<PublishedClaim> of(String paper, List<RunRow> rows) {
    return judged(paper, rows).stream().map(PublishedFigures::withWidth).toList();
  }

  /** Says of an undecided figure that its interval is too wide, where it is. */
  private static PublishedClaim withWidth(PublishedClaim claim) {
    return claim.verdict().equals(Verdict.UNDECIDED.words())
            && claim.low() > 0
            && Verdict.isWide(claim.low(), claim.high())
        ? claim.withNote("interval too wide: more than a factor of 2")
        : claim;
  }

  private static List<PublishedClaim> judged(String paper, List<RunRow> rows) {
    if (paper.equals(Concerto2021.NAME)) {
      return Concerto2021.judge(rows);
    }
    if (paper.equals(GarciaRecuero2014.NAME)) {
      return GarciaRecuero2014.judge(rows);
    }
    Runs runs = new Runs(rows);
    List<Claim> claims = claims(paper, runs);
    List<RatioJudge.Found> found = RatioJudge.find(claims, runs);
    Judge judge = new Judge(runs);
    return IntStream.range(0, claims.size())
        .mapToObj(i -> judge.judge(claims.get(i), found.get(i)))
        .flatMap(Optional::stream)
        .toList();
  }

  private static List<Claim> claims(String paper, Runs runs) {
    return switch (paper) {
      case Li2013.NAME -> Li2013.claims();
      case Harmony2012.GRID5000 -> Harmony2012.claims(Harmony2012.Platform.GRID5000, runs);
      case Harmony2012.EC2 -> Harmony2012.claims(Harmony2012.Platform.EC2, runs);
      default -> List.of();
    };
  }
}
