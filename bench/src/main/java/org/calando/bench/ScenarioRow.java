package org.calando.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.calando.sim.scenario.Contender;
import org.calando.sim.scenario.Scenario;
import org.calando.sim.scenario.ScenarioResult;

/**
 * What one policy or level came to in one scenario.
 *
 * @param seed of the scenario
 * @param name of the policy, or the level
 * @param tolerated share of stale reads
 * @param result what was measured
 * @param regret replicas asked beyond the best fixed choice; not a number for levels, and where
 *     none were run
 * @param description of the scenario
 */
record ScenarioRow(
    long seed,
    String name,
    double tolerated,
    ScenarioResult result,
    double regret,
    String description) {
  static final String HEADER =
      "seed;name;tolerated;reads;stale;standard_error;replicas;errors;regret;scenario";

  /** Ends the name of a policy where the row is of the time alone that its promise covers. */
  static final String COVERED = "@covered";

  static ScenarioRow of(Scenario scenario, String name, ScenarioResult result, double regret) {
    return new ScenarioRow(
        scenario.seed(), name, scenario.tolerated(), result, regret, scenario.description());
  }

  /** Whether it is of a policy. */
  boolean isPolicy() {
    return Arrays.stream(Contender.values()).anyMatch(policy -> policy.label().equals(name));
  }

  /** Whether it is of the time alone that a promise covers. */
  boolean isCovered() {
    return name.endsWith(COVERED);
  }

  String text() {
    return String.format(
        Locale.ROOT,
        "%d;%s;%s;%d;%d;%s;%s;%d;%s;%s",
        seed,
        name,
        tolerated,
        result.reads(),
        result.stale(),
        result.standardError(),
        result.meanReplicas(),
        result.errors(),
        regret,
        description);
  }

  static List<ScenarioRow> read(Path file) throws IOException {
    List<ScenarioRow> rows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String[] cells = line.split(";", -1);
      if (cells.length == 10 && !line.equals(HEADER)) {
        rows.add(
            new ScenarioRow(
                Long.parseLong(cells[0]),
                cells[1],
                Double.parseDouble(cells[2]),
                new ScenarioResult(
                    Long.parseLong(cells[3]),
                    Long.parseLong(cells[4]),
                    Double.parseDouble(cells[5]),
                    Double.parseDouble(cells[6]),
                    Long.parseLong(cells[7])),
                Double.parseDouble(cells[8]),
                cells[9]));
      }
    }
    return rows;
  }
}
