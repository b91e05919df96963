package org.calando.study.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import org.calando.study.report.Statistics.Spread;
import org.calando.study.report.Table.Cell;

/** What followed each event of the runs with a policy, over the repeats. Immutable. */
final class RecoveryTable {
  private final List<AdaptiveScenario> scenarios;
  private final Decisions decisions;

  RecoveryTable(List<AdaptiveScenario> scenarios, Decisions decisions) {
    this.scenarios = scenarios;
    this.decisions = decisions;
  }

  /** One repeat of one event. */
  private record Repeat(ClusterEvent event, Recovery recovery, double before, double after) {}

  /** A section for each scenario and event, a row for each policy; empty if nothing was done. */
  Table table() {
    Table table =
        new Table("adaptive-events", "What followed each event, over the repeats")
            .sectionsAre("event")
            .text("Policy", "policy")
            .number("Level right after", "s", "seconds", "seconds_min", "seconds_max")
            .number("Right", "of repeats", "reached", "repeats")
            .number("Over the promise", "stale reads", "over", "over_min", "over_max")
            .number("Settled after", "s", "settled", "settled_min", "settled_max")
            .number("Before", "replicas", "before", "before_min", "before_max")
            .number("At the end", "replicas", "after", "after_min", "after_max");
    for (AdaptiveScenario scenario : scenarios) {
      Map<String, Map<Configuration, List<Repeat>>> byEvent = new LinkedHashMap<>();
      for (Configuration policy : scenario.policies()) {
        if (Double.isFinite(AdaptiveScenario.tolerated(policy))) {
          policy.ok().forEach(row -> add(byEvent, policy, row));
        }
      }
      byEvent.forEach(
          (event, byPolicy) -> {
            table.section(scenario.title() + ": " + event);
            byPolicy.forEach((policy, repeats) -> table.row(row(policy, repeats)));
          });
    }
    return table;
  }

  private void add(
      Map<String, Map<Configuration, List<Repeat>>> byEvent, Configuration policy, RunRow row) {
    DecisionSeconds seconds = decisions.of(row).orElse(null);
    List<ClusterEvent> events = decisions.eventsOf(row);
    for (int i = 0; seconds != null && i < events.size(); i++) {
      ClusterEvent event = events.get(i);
      double end = i + 1 < events.size() ? events.get(i + 1).second() : seconds.measured();
      Stretch stretch = seconds.stretch(event.second(), Math.min(end, seconds.measured()));
      if (stretch.length() > 0) {
        Repeat repeat =
            new Repeat(
                event,
                Recovery.of(stretch, row.number("tolerated")),
                seconds.replicasBefore(event.second()),
                stretch.replicas(stretch.length() - 1));
        String name = i + 1 + ". " + event.text() + ", at " + Math.round(event.second()) + " s";
        byEvent
            .computeIfAbsent(name, n -> new LinkedHashMap<>())
            .computeIfAbsent(policy, p -> new ArrayList<>())
            .add(repeat);
      }
    }
  }

  private static List<Cell> row(Configuration policy, List<Repeat> repeats) {
    long reached = repeats.stream().filter(r -> r.recovery().isReached()).count();
    String times = reached + " of " + repeats.size();
    Cell right = new Cell(times, "", "", "", List.of(Long.toString(reached), "" + repeats.size()));
    return List.of(
        Cell.of(policy.label()),
        cell(repeats, r -> r.recovery().seconds(), Figures::plain).withClass("key"),
        reached < repeats.size() ? right.withClass("bad") : right,
        cell(repeats, r -> r.recovery().staleOver(), Figures::count),
        cell(repeats, r -> r.recovery().settled(), Figures::plain),
        cell(repeats, Repeat::before, Figures::figure),
        cell(repeats, Repeat::after, Figures::figure));
  }

  /** The middle repeat's value over the range of all. */
  private static Cell cell(
      List<Repeat> repeats, ToDoubleFunction<Repeat> value, DoubleFunction<String> words) {
    Spread s = Statistics.spread(repeats.stream().mapToDouble(value).toArray());
    List<String> csv =
        List.of(Figures.exact(s.median()), Figures.exact(s.min()), Figures.exact(s.max()));
    String low = words.apply(s.min());
    String high = words.apply(s.max());
    String range = low.equals(high) ? "" : low + Figures.NONE + high;
    return new Cell(words.apply(s.median()), range, "", "", csv);
  }
}
