package org.calando.papers;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.calando.report.Paper;
import org.calando.report.PublishedClaim;
import org.calando.report.RunRow;

/**
 * Sets a study's figures beside those that a paper published, with a verdict on each by a rule that
 * docs/papers/li-2013.md states. Stateless and thread safe.
 */
public abstract sealed class PublishedFigures implements Paper {
  private final String name;

  private PublishedFigures(String name) {
    this.name = name;
  }

  @Override
  public final String name() {
    return name;
  }

  /** Li 2013, levels and threads on Cassandra. */
  public static final class OfLi2013 extends PublishedFigures {
    public OfLi2013() {
      super(Li2013.NAME);
    }

    @Override
    public List<PublishedClaim> judge(List<RunRow> rows) {
      return verdicts(Li2013.claims(), new Runs(rows));
    }
  }

  /** Chihoub et al. 2012, Harmony on Grid'5000. */
  public static final class OfHarmonyOnGrid5000 extends PublishedFigures {
    public OfHarmonyOnGrid5000() {
      super(Harmony2012.GRID5000);
    }

    @Override
    public List<PublishedClaim> judge(List<RunRow> rows) {
      Runs runs = new Runs(rows);
      return verdicts(Harmony2012.claims(Harmony2012.Platform.GRID5000, runs), runs);
    }
  }

  /** Chihoub et al. 2012, Harmony on EC2. */
  public static final class OfHarmonyOnEc2 extends PublishedFigures {
    public OfHarmonyOnEc2() {
      super(Harmony2012.EC2);
    }

    @Override
    public List<PublishedClaim> judge(List<RunRow> rows) {
      Runs runs = new Runs(rows);
      return verdicts(Harmony2012.claims(Harmony2012.Platform.EC2, runs), runs);
    }
  }

  /** Lee and Lee 2021, clocks of replicas. */
  public static final class OfConcerto2021 extends PublishedFigures {
    public OfConcerto2021() {
      super(Concerto2021.NAME);
    }

    @Override
    public List<PublishedClaim> judge(List<RunRow> rows) {
      return Concerto2021.judge(rows);
    }
  }

  /** Garcia-Recuero 2014, deferred writes on HBase. */
  public static final class OfGarciaRecuero2014 extends PublishedFigures {
    public OfGarciaRecuero2014() {
      super(GarciaRecuero2014.NAME);
    }

    @Override
    public List<PublishedClaim> judge(List<RunRow> rows) {
      return GarciaRecuero2014.judge(rows);
    }
  }

  private static List<PublishedClaim> verdicts(List<Claim> claims, Runs runs) {
    List<RatioJudge.Found> found = RatioJudge.find(claims, runs);
    Judge judge = new Judge(runs);
    return IntStream.range(0, claims.size())
        .mapToObj(i -> judge.judge(claims.get(i), found.get(i)))
        .flatMap(Optional::stream)
        .toList();
  }
}
