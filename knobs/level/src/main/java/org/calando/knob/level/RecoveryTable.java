package org.calando.knob.level;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;
import org.calando.report.ClusterEvent;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.RunRow;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Spread;
import org.calando.report.column.LevelColumns;
import org.calando.report.page.Table;
import org.calando.report.page.Table.Cell;

/** What followed each event of the runs with a policy, over the repeats. Immutable. */
final class RecoveryTable {
  private final List<AdaptiveScenario> scenarios;
  private final Decisions decisions;

  RecoveryTable(List<AdaptiveScenario> scenarios, Decisions decisions) {
    this.scenarios = scenarios;
    this.decisions = decisions;
  }

  /**
   * What happens in every repeat, though a node that starts is up sooner in one than in another.
   */
  private record Happening(String text, int occurrence) {}

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
      Map<Happening, Map<Configuration, List<Repeat>>> byEvent = new LinkedHashMap<>();
      for (Configuration policy : scenario.policies()) {
        if (Double.isFinite(AdaptiveScenario.tolerated(policy))) {
          policy.ok().forEach(row -> add(byEvent, policy, row));
        }
      }
      byEvent.entrySet().stream()
          .sorted(Comparator.comparingDouble(entry -> seconds(entry.getValue()).median()))
          .forEach(
              entry -> {
                table.section(scenario.title() + ": " + words(entry.getKey(), entry.getValue()));
                entry.getValue().forEach((policy, repeats) -> table.row(row(policy, repeats)));
              });
    }
    return table;
  }

  private static Spread seconds(Map<Configuration, List<Repeat>> repeats) {
    return Statistics.spread(
        repeats.values().stream()
            .flatMap(List::stream)
            .mapToDouble(repeat -> repeat.event().second())
            .toArray());
  }

  private static String words(Happening event, Map<Configuration, List<Repeat>> repeats) {
    Spread seconds = seconds(repeats);
    long first = Math.round(seconds.min());
    long last = Math.round(seconds.max());
    return event.text()
        + (event.occurrence() == 1 ? "" : " (time %d)".formatted(event.occurrence()))
        + (first == last ? ", at %d s".formatted(first) : ", at %d to %d s".formatted(first, last));
  }

  private void add(
      Map<Happening, Map<Configuration, List<Repeat>>> byEvent, Configuration policy, RunRow row) {
    Map<String, Integer> occurrences = new HashMap<>();
    DecisionSeconds seconds = decisions.of(row).orElse(null);
    List<ClusterEvent> events = decisions.eventsOf(row);
    for (int i = 0; seconds != null && i < events.size(); i++) {
      ClusterEvent event = events.get(i);
      int occurrence = occurrences.merge(event.text(), 1, Integer::sum);
      double end = i + 1 < events.size() ? events.get(i + 1).second() : seconds.measured();
      Stretch stretch = seconds.stretch(event.second(), Math.min(end, seconds.measured()));
      if (stretch.length() > 0) {
        Repeat repeat =
            new Repeat(
                event,
                Recovery.of(stretch, row.number(LevelColumns.TOLERATED)),
                seconds.replicasBefore(event.second()),
                stretch.replicas(stretch.length() - 1));
        byEvent
            .computeIfAbsent(new Happening(event.text(), occurrence), each -> new LinkedHashMap<>())
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
