package org.calando.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.calando.bench.joint.Student;
import org.calando.sim.scenario.ScenarioResult;

/*
 * A promise is broken where the lower bound of the stale rate is above what is tolerated. Over a
 * thousand scenarios some bounds are so by chance: at 99.9 % one of a thousand, if all rates were
 * exactly what is tolerated. So both are told: bounds at 99.9 % of each scenario, with the number
 * that chance allows at most, and those that stay when Holm's procedure holds the chance of any
 * false one in a policy's scenarios to 5 %. Student's distribution with blocks - 1 degrees.
 */
/** Sums up scenarios policy by policy. */
final class ScenarioSummary {
  private static final int DEGREES = ScenarioResult.BLOCKS - 1;
  private static final double ONE_SIDED = 0.001;
  private static final double FAMILY = 0.05;
  private static final int WORST = 5;

  private final Map<String, List<ScenarioRow>> byPolicy = new TreeMap<>();

  /** The same, but only of the time that promises cover where that is not all. */
  private final Map<String, List<ScenarioRow>> covered = new TreeMap<>();

  ScenarioSummary(List<ScenarioRow> rows) {
    Map<String, ScenarioRow> partly = new HashMap<>();
    for (ScenarioRow row : rows) {
      if (row.isCovered()) {
        partly.put(row.seed() + row.name(), row);
      }
    }
    for (ScenarioRow row : rows) {
      if (row.isPolicy()) {
        String name = row.name() + ScenarioRow.COVERED;
        byPolicy.computeIfAbsent(row.name(), any -> new ArrayList<>()).add(row);
        covered
            .computeIfAbsent(name, any -> new ArrayList<>())
            .add(partly.getOrDefault(row.seed() + name, row));
      }
    }
  }

  String text() {
    StringBuilder text = new StringBuilder();
    covered.forEach((name, rows) -> policy(name, rows, text));
    byPolicy.forEach((name, rows) -> policy(name, rows, text));
    return text.toString();
  }

  private static void policy(String name, List<ScenarioRow> rows, StringBuilder text) {
    List<ScenarioRow> over = new ArrayList<>(rows);
    over.removeIf(row -> row.result().staleRate() <= row.tolerated());
    over.sort(Comparator.comparingDouble(ScenarioSummary::chance));
    long alone = over.stream().filter(row -> chance(row) < ONE_SIDED).count();
    int holm = 0;
    while (holm < over.size() && chance(over.get(holm)) < FAMILY / (rows.size() - holm)) {
      holm++;
    }
    double excess = over.stream().mapToDouble(ScenarioSummary::ratio).max().orElse(1);
    double meanExcess = over.stream().mapToDouble(ScenarioSummary::ratio).average().orElse(1);
    text.append(
        String.format(
            Locale.ROOT,
            "%-20s %d scenarios: %d broken (Holm 5 %%), %d at 99.9 %% alone (chance allows %.1f);"
                + " rate over tolerated in %d, %.2f times in the mean, %.2f at most;"
                + " regret mean %.3f, median %.3f%n",
            name,
            rows.size(),
            holm,
            alone,
            ONE_SIDED * rows.size(),
            over.size(),
            meanExcess,
            excess,
            Arrays.stream(regrets(rows)).average().orElse(Double.NaN),
            median(regrets(rows))));
    over.stream()
        .limit(Math.max(holm, WORST))
        .forEach(
            row ->
                text.append(
                    String.format(
                        Locale.ROOT,
                        "    seed %d: %.2f %% stale, tolerated %.2f %%, p %.2g, %.2f replicas:"
                            + " %s%n",
                        row.seed(),
                        100 * row.result().staleRate(),
                        100 * row.tolerated(),
                        chance(row),
                        row.result().meanReplicas(),
                        row.description())));
  }

  /** Those of scenarios in which levels were run, too, in order. */
  private static double[] regrets(List<ScenarioRow> rows) {
    return rows.stream()
        .mapToDouble(ScenarioRow::regret)
        .filter(regret -> !Double.isNaN(regret))
        .sorted()
        .toArray();
  }

  private static double median(double[] sorted) {
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
  }

  private static double ratio(ScenarioRow row) {
    return row.result().staleRate() / row.tolerated();
  }

  /** The chance of so high a rate where the true one is what is tolerated. */
  private static double chance(ScenarioRow row) {
    return Student.beyond(row.result().above(row.tolerated()), DEGREES);
  }
}
