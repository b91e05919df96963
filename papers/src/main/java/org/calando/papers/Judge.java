package org.calando.papers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.calando.papers.Claim.Effect;
import org.calando.papers.Claim.Fewer;
import org.calando.papers.Claim.Level;
import org.calando.papers.Claim.NeverStale;
import org.calando.papers.Claim.Order;
import org.calando.papers.Claim.OverMean;
import org.calando.papers.Claim.Point;
import org.calando.papers.Claim.SomewhereAtLeast;
import org.calando.papers.RatioJudge.Found;
import org.calando.report.PublishedClaim;
import org.calando.report.PublishedClaim.Kind;
import org.calando.report.RunRow;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;
import org.calando.report.column.RunColumns;
import org.calando.report.column.StaleColumns;

/** Sets each claim beside what the runs of a study say of it. Immutable. */
final class Judge {
  /** A published ratio nearer to 1 than this is one of no change. */
  private static final double NO_CHANGE = 1.1;

  private static final int MOST_NAMED = 4;

  private final Runs runs;

  Judge(Runs runs) {
    this.runs = runs;
  }

  /** What the study has of a claim, before it is put in words. */
  private record Ours(double value, double low, double high, int blocks, List<String> notes) {
    static Ours of(Estimate estimate, String... notes) {
      return new Ours(
          estimate.mean(), estimate.low(), estimate.high(), estimate.n(), List.of(notes));
    }

    static Ours of(Found found) {
      return new Ours(
          found.ratio().ratio(),
          found.ratio().low(),
          found.ratio().high(),
          found.ratio().blocks(),
          found.notes());
    }
  }

  /**
   * The claim with its verdict; empty if it is an aside of which the study knows nothing.
   *
   * @param found its ratio, if it is on one
   */
  Optional<PublishedClaim> judge(Claim claim, Found found) {
    PublishedClaim judged = judged(claim, found);
    return claim.isAside() && Double.isNaN(judged.ours()) ? Optional.empty() : Optional.of(judged);
  }

  private PublishedClaim judged(Claim claim, Found found) {
    if (claim instanceof Claim.Ratio ratio) {
      Verdict verdict =
          claim instanceof Effect
              ? Verdict.ofEffect(claim.published(), found.ratio(), found.adjustedP())
              : Verdict.ofFlat(found.ratio());
      return row(ClaimWords.of(ratio), claim, Kind.RATIO, Ours.of(found), verdict);
    }
    if (claim instanceof OverMean mean) {
      return judge(mean, found);
    }
    if (claim instanceof Level level) {
      return judge(level);
    }
    if (claim instanceof SomewhereAtLeast level) {
      return judge(level);
    }
    if (claim instanceof Fewer fewer) {
      return judge(fewer);
    }
    return claim instanceof Order order ? judge(order) : judge((NeverStale) claim);
  }

  private PublishedClaim judge(OverMean claim, Found found) {
    boolean flat = Math.abs(Math.log(claim.published())) < Math.log(NO_CHANGE);
    Verdict verdict =
        flat
            ? Verdict.ofFlat(found.ratio())
            : Verdict.ofEffect(claim.published(), found.ratio(), found.adjustedP());
    String words = claim.figure().words() + ", over the mean of all, " + ClaimWords.of(claim.at());
    return row(words, claim, Kind.RATIO, Ours.of(found), verdict);
  }

  private PublishedClaim judge(Level claim) {
    OptionalInt threads = runs.nearestThreads(claim.at(), RatioJudge.STAND_IN_TOLERANCE);
    Point at = claim.at().withThreads(threads.orElse(claim.at().threads()));
    Estimate ours = estimate(claim.figure(), runs.at(at));
    return row(
        claim.figure().words() + ", " + ClaimWords.of(claim.at()),
        claim,
        claim.figure().kind(),
        Ours.of(
            ours,
            RatioJudge.stands(at, claim.at()),
            RatioJudge.provenance(claim.figure(), at, runs)),
        Verdict.ofLevel(claim.published(), false, ours));
  }

  private PublishedClaim judge(SomewhereAtLeast claim) {
    List<List<RunRow>> cases = runs.cases(claim.level());
    Estimate ours = Statistics.estimate();
    String where = "";
    for (List<RunRow> rows : cases) {
      Estimate here = estimate(claim.figure(), rows);
      if (here.present() && !(here.mean() <= ours.mean())) {
        ours = here;
        where =
            "the highest of "
                + cases.size()
                + " cases: "
                + rows.get(0).text(RunColumns.WORKLOAD)
                + ", "
                + rows.get(0).text(RunColumns.THREADS)
                + " threads";
      }
    }
    return row(
        claim.figure().words() + ", some case at " + claim.level(),
        claim,
        claim.figure().kind(),
        Ours.of(ours, where),
        Verdict.ofLevel(claim.published(), true, ours));
  }

  private PublishedClaim judge(NeverStale claim) {
    double reads = 0;
    double stale = 0;
    double fewest = Double.POSITIVE_INFINITY;
    for (String level : claim.levels()) {
      double here = 0;
      for (List<RunRow> rows : runs.cases(level)) {
        here +=
            rows.stream().mapToDouble(row -> zeroIfAbsent(row.number(StaleColumns.READS))).sum();
        stale +=
            rows.stream()
                .mapToDouble(row -> zeroIfAbsent(row.number(StaleColumns.STALE_READS)))
                .sum();
      }
      reads += here;
      fewest = Math.min(fewest, here);
    }
    String count = String.format(Locale.ROOT, "%.0f of %.0f reads", stale, reads);
    double rate = reads > 0 ? stale / reads : Double.NaN;
    return row(
        "stale reads, share, at " + String.join(" and ", claim.levels()),
        claim,
        Kind.SHARE,
        new Ours(rate, Double.NaN, Double.NaN, 2, List.of(count)),
        // Of a level without a read nothing is known, and the claim is on all of them.
        reads > 0 ? Verdict.ofNever(fewest, stale) : Verdict.NOT_IN_STUDY);
  }

  private PublishedClaim judge(Fewer claim) {
    OptionalInt threads = runs.nearestThreads(claim.of(), RatioJudge.STAND_IN_TOLERANCE);
    Point of = claim.of().withThreads(threads.orElse(claim.of().threads()));
    Point than = claim.than().withThreads(of.threads());
    List<double[]> pairs = runs.pairs(claim.figure(), of, than);
    double[] shares =
        pairs.stream()
            .filter(pair -> pair[1] > 0)
            .mapToDouble(pair -> 1 - pair[0] / pair[1])
            .toArray();
    Estimate ours = Statistics.estimate(shares);
    boolean none = shares.length == 0 && !pairs.isEmpty();
    return row(
        ClaimWords.of(claim),
        claim,
        Kind.SHARE,
        Ours.of(
            ours,
            none ? "no block has any with " + claim.than().level() : "",
            RatioJudge.stands(of, claim.of())),
        none ? Verdict.UNDECIDED : Verdict.ofFewer(claim.published(), ours));
  }

  private PublishedClaim judge(Order claim) {
    List<Estimate> steps = new ArrayList<>();
    List<Estimate> chains = new ArrayList<>();
    List<String> falling = new ArrayList<>();
    for (List<Point> chain : claim.chains()) {
      for (int i = 1; i < chain.size(); i++) {
        Estimate step = step(claim.figure(), chain.get(i - 1), chain.get(i));
        steps.add(step);
        if (Verdict.falls(step)) {
          falling.add(ClaimWords.of(chain.get(i)) + " below " + ClaimWords.of(chain.get(i - 1)));
        }
      }
      chains.add(step(claim.figure(), chain.get(0), chain.get(chain.size() - 1)));
    }
    long inOrder = steps.stream().filter(step -> step.present() && step.mean() >= 0).count();
    boolean known = !steps.isEmpty() && steps.stream().allMatch(Estimate::present);
    List<String> notes = new ArrayList<>();
    notes.add(
        known
            ? "share of " + steps.size() + " neighbouring pairs in order"
            : "the study lacks some of the points to compare");
    falling.stream().limit(MOST_NAMED).forEach(notes::add);
    if (falling.size() > MOST_NAMED) {
      notes.add("and " + (falling.size() - MOST_NAMED) + " more");
    }
    int blocks = steps.stream().mapToInt(Estimate::n).min().orElse(0);
    double ours = known ? (double) inOrder / steps.size() : Double.NaN;
    return row(
        claim.words(),
        claim,
        Kind.SHARE,
        new Ours(ours, Double.NaN, Double.NaN, blocks, notes),
        Verdict.ofOrder(steps, chains));
  }

  /** By how much the later point is above the earlier, over their mean; of two zeros 0. */
  private Estimate step(Claim.Figure figure, Point earlier, Point later) {
    return Statistics.estimate(
        runs.pairs(figure, later, earlier).stream()
            .mapToDouble(pair -> difference(pair[0], pair[1]))
            .toArray());
  }

  private static double difference(double later, double earlier) {
    double sum = later + earlier;
    return sum == 0 ? 0 : 2 * (later - earlier) / sum;
  }

  private static double zeroIfAbsent(double number) {
    return Double.isNaN(number) ? 0 : number;
  }

  private static Estimate estimate(Claim.Figure figure, List<RunRow> rows) {
    return Statistics.estimate(rows.stream().mapToDouble(figure.of()).toArray());
  }

  private PublishedClaim row(String words, Claim claim, Kind kind, Ours ours, Verdict verdict) {
    Stream<String> alone = ours.blocks() == 1 ? Stream.of("one repeat: no interval") : Stream.of();
    String simulated = runs.simulated() ? claim.simulatedNote() : "";
    List<String> notes =
        Stream.of(Stream.of(simulated), ours.notes().stream(), alone, Stream.of(claim.note()))
            .flatMap(each -> each)
            .filter(note -> !note.isEmpty())
            .toList();
    return new PublishedClaim(
        words,
        claim.source(),
        kind,
        claim.published(),
        ours.value(),
        ours.low(),
        ours.high(),
        verdict.words(),
        verdict.note(String.join("; ", notes)));
  }
}
