package org.calando.bench.joint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.calando.report.Statistics;

/*
 * A part is broken where more reads broke it than may, by a one-sided test over blocks of ten
 * seconds; Holm's procedure over both parts of all scenarios of who decided holds the chance of any
 * false alarm to 5 %. In some scenarios nothing keeps the promise, as where a load of ten times comes
 * upon a cluster one rack of which is dead: so those are counted, too, that everything on kept.
 */
/** Sums scenarios up by who decided. */
final class JointScenarioSummary {
  private static final double FAMILY = 0.05;
  private static final int WORST = 12;

  private final Map<String, List<JointScenarioRow>> byName = new TreeMap<>();
  private final Map<Long, JointScenarioRow> allOn = new HashMap<>();

  JointScenarioSummary(List<JointScenarioRow> rows) {
    for (JointScenarioRow row : rows) {
      byName.computeIfAbsent(row.name(), any -> new ArrayList<>()).add(row);
      if (row.name().equals("quorum")) {
        allOn.put(row.seed(), row);
      }
    }
  }

  String text() {
    StringBuilder text = new StringBuilder();
    byName.forEach((name, rows) -> of(name, rows, text));
    List<JointScenarioRow> joint = byName.getOrDefault("joint", List.of());
    Map<String, List<Integer>> byEvent = new TreeMap<>();
    for (JointScenarioRow row : joint) {
      byEvent.computeIfAbsent(row.event(), any -> new ArrayList<>()).add(row.again());
    }
    byEvent.forEach(
        (event, again) -> {
          int[] kept =
              again.stream().filter(each -> each >= 0).mapToInt(each -> each).sorted().toArray();
          text.append(
              String.format(
                  Locale.ROOT,
                  "joint, %s: %d scenarios, kept again after %d s (median), %d s (most); %d never%n",
                  event,
                  again.size(),
                  kept.length == 0 ? -1 : kept[kept.length / 2],
                  kept.length == 0 ? -1 : kept[kept.length - 1],
                  again.size() - kept.length));
        });
    return text.toString();
  }

  private void of(String name, List<JointScenarioRow> rows, StringBuilder text) {
    double[] chances =
        rows.stream()
            .flatMapToDouble(
                row ->
                    IntStream.of(0, 1)
                        .mapToDouble(i -> i == 0 ? row.stale().chance() : row.slow().chance()))
            .toArray();
    double[] adjusted = Statistics.holm(chances);
    List<JointScenarioRow> broken = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      if (Math.min(adjusted[2 * i], adjusted[2 * i + 1]) < FAMILY) {
        broken.add(rows.get(i));
      }
    }
    List<JointScenarioRow> alone = broken.stream().filter(this::isKeptAllOn).toList();
    double joules = rows.stream().mapToDouble(JointScenarioRow::joules).sum();
    double on =
        rows.stream()
            .map(row -> allOn.getOrDefault(row.seed(), row))
            .mapToDouble(JointScenarioRow::joules)
            .sum();
    text.append(
        String.format(
            Locale.ROOT,
            "%-7s %d scenarios: %d broken (Holm 5 %%), %d of these kept by everything on; %d with"
                + " unsafe settings; %.1f %% of the joules of everything on saved%n",
            name,
            rows.size(),
            broken.size(),
            alone.size(),
            rows.stream().filter(row -> !row.unsafe().isEmpty()).count(),
            100 * (1 - joules / on)));
    alone.stream()
        .sorted(Comparator.comparingDouble(JointScenarioRow::chance))
        .limit(WORST)
        .forEach(
            row ->
                text.append(
                    String.format(
                        Locale.ROOT,
                        "    seed %d: %.3f %% stale, %.2f %% slow: %s%n",
                        row.seed(),
                        100 * row.stale().share(),
                        100 * row.slow().share(),
                        row.description())));
    rows.stream()
        .filter(row -> !row.unsafe().isEmpty())
        .limit(WORST)
        .forEach(row -> text.append("    seed %d: %s%n".formatted(row.seed(), row.unsafe())));
  }

  /** Whether neither part is broken with everything on, at 5 % by itself. */
  private boolean isKeptAllOn(JointScenarioRow row) {
    JointScenarioRow on = allOn.get(row.seed());
    return on != null && on.chance() > FAMILY;
  }
}
