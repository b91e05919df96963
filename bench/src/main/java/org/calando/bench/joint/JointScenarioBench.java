package org.calando.bench.joint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.calando.sim.joint.JointDraw;
import org.calando.sim.joint.JointScenario;
import org.calando.sim.joint.Rival;

/**
 * Runs random scenarios of one controller of levels, gear and clocks, of policies beside each
 * other, and of everything on, and appends what they came to to a file; then sums the file up. Goes
 * on where an earlier run stopped.
 *
 * <p>{@code JointScenarioBench FILE [SCENARIOS [SEED [NAMES]]]}: default 100 scenarios of seeds
 * from 1 on. With names, only those are run.
 */
public final class JointScenarioBench {
  private final Path file;
  private final List<JointScenarioRow> rows;

  private JointScenarioBench(Path file) throws IOException {
    this.file = file;
    if (!Files.exists(file)) {
      Files.writeString(file, JointScenarioRow.HEADER + "\n");
    }
    this.rows = new ArrayList<>(JointScenarioRow.read(file));
  }

  /** Runs and prints. */
  public static void main(String[] arguments) throws IOException {
    JointScenarioBench bench = new JointScenarioBench(Path.of(arguments[0]));
    int scenarios = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100;
    long first = arguments.length > 2 ? Long.parseLong(arguments[2]) : 1;
    List<String> names =
        List.of((arguments.length > 3 ? arguments[3] : "quorum,beside,joint").split(","));
    for (long seed = first; seed < first + scenarios; seed++) {
      JointScenario scenario = JointDraw.of(seed);
      for (Rival rival : List.of(scenario.allOn(), scenario.beside(), scenario.joint())) {
        if (names.contains(rival.name())) {
          bench.run(scenario, rival);
        }
      }
    }
    bench.rows.removeIf(row -> row.seed() < first || row.seed() >= first + scenarios);
    System.out.print(new JointScenarioSummary(bench.rows).text());
  }

  private void run(JointScenario scenario, Rival rival) throws IOException {
    long seed = scenario.world().seed();
    for (JointScenarioRow row : rows) {
      if (row.seed() == seed && row.name().equals(rival.name())) {
        return;
      }
    }
    JointScenarioRow row = JointScenarioRow.of(scenario, rival.name(), scenario.run(rival));
    rows.add(row);
    Files.write(
        file, (row.text() + "\n").getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
  }
}
