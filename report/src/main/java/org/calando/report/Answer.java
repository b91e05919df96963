package org.calando.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.calando.report.Comparison.Verdict;
import org.calando.report.Load.Kind;
import org.calando.report.Results.LoadGroup;
import org.calando.report.Statistics.Estimate;
import org.calando.report.column.StaleColumns;

/** A study's outcome in a few sentences, computed from its figures. */
public final class Answer {
  /** More levels than this are left to the table of comparisons. */
  private static final int MOST_SPANS = 6;

  /** Why joules per operation of the two loops differ. */
  static final String WHY_LOOPS_DIFFER =
      "The loops differ by idle power: in a closed loop the same operations take longer at a slower"
          + " level, and nodes draw it for longer; at a fixed rate all levels take the same time. A"
          + " cluster whose load is given is like the open loop.";

  private final Results results;
  private final List<Comparison> comparisons;
  private final List<String> sentences = new ArrayList<>();

  private Answer(Results results, List<Comparison> comparisons) {
    this.results = results;
    this.comparisons = comparisons;
  }

  /** The sentences, plain text, at least one. */
  public static List<String> of(Results results, List<Comparison> comparisons) {
    Answer answer = new Answer(results, comparisons);
    if (results.rows().isEmpty()) {
      return List.of("This study has no runs yet.");
    }
    if (results.measured().isEmpty()) {
      return List.of("No run succeeded, so there is no figure to report.");
    }
    // A fixed rate shows staleness; what levels cost in joules depends on the loop.
    answer.energy();
    answer.staleness(answer.groups(Kind.OPEN, Kind.CLOSED));
    answer.caveats();
    return List.copyOf(answer.sentences);
  }

  private List<LoadGroup> groups(Kind first, Kind second) {
    for (Kind kind : List.of(first, second, Kind.UNKNOWN)) {
      List<LoadGroup> groups =
          results.groups().stream()
              .filter(g -> g.load().kind() == kind && !g.measured().isEmpty())
              .toList();
      if (!groups.isEmpty()) {
        return groups;
      }
    }
    return List.of();
  }

  private void energy() {
    if (withEnergy(results.groups()).isEmpty()) {
      sentences.add("No run has an energy figure.");
    } else if (hasBothLoops(results)) {
      energy(groups(Kind.CLOSED, Kind.CLOSED));
      energy(groups(Kind.OPEN, Kind.OPEN));
      sentences.add(WHY_LOOPS_DIFFER);
    } else {
      energy(groups(Kind.CLOSED, Kind.OPEN));
    }
  }

  /** Whether closed and open loops have energy figures, which say different things. */
  static boolean hasBothLoops(Results results) {
    return withEnergy(results.groups()).stream()
        .map(c -> c.load().kind())
        .collect(Collectors.toSet())
        .containsAll(Set.of(Kind.CLOSED, Kind.OPEN));
  }

  private static List<Configuration> withEnergy(List<LoadGroup> groups) {
    return groups.stream()
        .flatMap(g -> g.measured().stream())
        .filter(c -> energyOf(c).present())
        .toList();
  }

  private void energy(List<LoadGroup> groups) {
    List<Configuration> withEnergy = withEnergy(groups);
    if (withEnergy.isEmpty()) {
      return;
    }
    Configuration cheapest =
        withEnergy.stream().min(Comparator.comparingDouble(c -> energyOf(c).mean())).orElseThrow();
    String cost = withEnergy.size() == 1 ? " cost " : " had the lowest mean, ";
    sentences.add(
        Load.sentence(cheapest.load().phrase())
            + ", "
            + cheapest.label()
            + (isDecided(cheapest, withEnergy) ? " was the cheapest at " : cost)
            + Figures.interval(energyOf(cheapest))
            + "\u00A0J per 1000 operations ("
            + cheapest.provenance()
            + ", gross).");
    if (groups.size() == 1) {
      ratios(groups.get(0));
    } else {
      spans(groups);
    }
  }

  /** Whether it is cheaper than each other under its load by a verdict, or by an interval. */
  private boolean isDecided(Configuration cheapest, List<Configuration> all) {
    List<Configuration> others =
        all.stream()
            .filter(c -> c.load().equals(cheapest.load()) && !c.label().equals(cheapest.label()))
            .toList();
    return !others.isEmpty() && others.stream().allMatch(other -> isCheaper(cheapest, other));
  }

  private boolean isCheaper(Configuration cheapest, Configuration other) {
    for (Comparison c : comparisons) {
      if (c.configuration().equals(other) && c.reference().equals(cheapest)) {
        return c.verdict() == Verdict.MORE;
      }
      if (c.configuration().equals(cheapest) && c.reference().equals(other)) {
        return c.verdict() == Verdict.LESS;
      }
    }
    return cheapest.provenance().equals(other.provenance())
        && cheapest.ratioTo(other, RunRow::joulesPerKop).high() < 1;
  }

  private void ratios(LoadGroup group) {
    for (Comparison c : comparisons) {
      if (c.configuration().load().equals(group.load()) && !c.words().isEmpty()) {
        sentences.add(
            "%s cost %s what %s did per operation%s."
                .formatted(
                    c.configuration().label(),
                    c.words(),
                    c.reference().label(),
                    c.verdict() == Verdict.UNDECIDED ? ", which is undecided" : ""));
      }
    }
  }

  /** Verdicts over several loads, of the comparisons with one and the same level. */
  private void spans(List<LoadGroup> groups) {
    List<Comparison> known =
        comparisons.stream()
            .filter(c -> groups.stream().anyMatch(g -> g.load().equals(c.reference().load())))
            .filter(c -> !c.words().isEmpty())
            .toList();
    if (known.isEmpty()) {
      return;
    }
    String reference = known.get(0).reference().label();
    Map<String, List<Comparison>> byLabel =
        known.stream()
            .filter(c -> c.reference().label().equals(reference))
            .collect(
                Collectors.groupingBy(
                    c -> c.configuration().label(), LinkedHashMap::new, Collectors.toList()));
    if (byLabel.size() <= MOST_SPANS) {
      byLabel.forEach((label, list) -> sentences.add(span(label, reference, list)));
    }
  }

  private static String span(String label, String reference, List<Comparison> list) {
    List<Comparison> single = with(list, Verdict.ONE_REPEAT);
    List<Comparison> more = with(list, Verdict.MORE);
    List<Comparison> less = with(list, Verdict.LESS);
    int undecided = with(list, Verdict.UNDECIDED).size();
    String loads = list.size() == 1 ? " load" : " loads";
    List<String> parts = new ArrayList<>();
    if (!more.isEmpty()) {
      String at = took(label, "more", reference) + more.size() + " of " + list.size() + loads;
      parts.add(at + " (" + times(more) + ")");
    }
    if (!less.isEmpty()) {
      String at =
          more.isEmpty()
              ? took(label, "less", reference) + less.size() + " of " + list.size() + loads
              : "less at " + less.size();
      parts.add(at + " (" + times(less) + ")");
    }
    if (!single.isEmpty()) {
      String what = parts.isEmpty() ? label + " against " + reference + ": " : "";
      parts.add(what + times(single) + " at " + single.size() + " without an interval");
    }
    if (undecided > 0) {
      parts.add(
          parts.isEmpty()
              ? label + " against " + reference + " is undecided at " + undecided + loads
              : undecided + " undecided");
    }
    return String.join(", ", parts) + ".";
  }

  private static String took(String label, String what, String reference) {
    return label + " took " + what + " energy per operation than " + reference + " at ";
  }

  private static List<Comparison> with(List<Comparison> list, Verdict verdict) {
    return list.stream().filter(c -> c.verdict() == verdict).toList();
  }

  /** Such as {@code 1.01 to 1.30 times}. */
  private static String times(List<Comparison> list) {
    Statistics.Spread spread =
        Statistics.spread(list.stream().mapToDouble(c -> c.ratio().ratio()).toArray());
    return Figures.range(spread.min(), spread.max()).replace(Figures.NONE, " to ") + " times";
  }

  private void staleness(List<LoadGroup> groups) {
    LoadGroup group = stalest(groups);
    List<String> stale = new ArrayList<>();
    List<String> fresh = new ArrayList<>();
    double checkedFresh = 0;
    for (Configuration c : group.measured()) {
      Estimate rate = c.estimate(RunRow::staleRate);
      double checked = c.sum(StaleColumns.READS);
      if (rate.present() && rate.max() > 0) {
        String among = Double.isNaN(checked) ? "" : " of " + Figures.count(checked) + " reads";
        stale.add(Figures.percent(rate.mean()) + among + " at " + c.label());
      } else if (rate.present()) {
        fresh.add(c.label());
        checkedFresh += Double.isNaN(checked) ? 0 : checked;
      }
    }
    String most = groups.size() > 1 && !stale.isEmpty() ? "Stale reads were most frequent " : "";
    String phrase =
        most.isEmpty() ? Load.sentence(group.load().phrase()) : most + group.load().phrase();
    String among = checkedFresh > 0 ? " among " + Figures.count(checkedFresh) + " reads" : "";
    if (!stale.isEmpty()) {
      String rest = fresh.isEmpty() ? "." : "; " + join(fresh) + " had no stale read" + among + ".";
      sentences.add(phrase + (most.isEmpty() ? ", " : ": ") + join(stale) + " were stale" + rest);
    } else if (!fresh.isEmpty()) {
      sentences.add(phrase + ", no read was seen to be stale" + among + ".");
    }
  }

  /** The load under which some level had the most stale reads; the last one if none had any. */
  private static LoadGroup stalest(List<LoadGroup> groups) {
    LoadGroup stalest = groups.get(groups.size() - 1);
    double most = 0;
    for (LoadGroup group : groups) {
      for (Configuration c : group.measured()) {
        double rate = c.estimate(RunRow::staleRate).mean();
        if (rate > most) {
          most = rate;
          stalest = group;
        }
      }
    }
    return stalest;
  }

  private void caveats() {
    int failed = results.failed().size();
    if (failed > 0) {
      sentences.add(
          failed + " of " + results.rows().size() + " runs failed and count in no figure.");
    }
    sentences.addAll(Drift.of(results));
    if (results.repeats() < 2) {
      sentences.add("One repeat: no interval, and a difference may be chance.");
    } else {
      sentences.add("Intervals are 95\u00A0% Student intervals over repeats.");
    }
  }

  private static Estimate energyOf(Configuration c) {
    return c.estimate(RunRow::joulesPerKop);
  }

  /** A list in words; only its last two are joined by "and". */
  public static String join(List<String> parts) {
    if (parts.size() < 2) {
      return String.join("", parts);
    }
    int last = parts.size() - 1;
    return String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
  }
}
