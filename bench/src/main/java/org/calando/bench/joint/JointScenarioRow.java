package org.calando.bench.joint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.calando.core.observe.Promised;
import org.calando.sim.joint.JointOutcome;
import org.calando.sim.joint.JointScenario;
import org.calando.sim.scenario.BlockRatio;

/**
 * What one of those who are compared came to in one scenario.
 *
 * @param seed of the scenario
 * @param name of who decided
 * @param joules of the measured window
 * @param stale of the reads, with the chance of so many where the promise is just kept
 * @param slow or failed, likewise
 * @param again seconds from what happened until all parts were kept; below 0 if they never were
 * @param unsafe settings, in words; empty if there were none
 * @param event that happened, in words
 * @param description of the scenario
 */
record JointScenarioRow(
    long seed,
    String name,
    double joules,
    Part stale,
    Part slow,
    int again,
    String unsafe,
    String event,
    String description) {
  static final String HEADER =
      "seed;name;joules;stale;p_stale;slow;p_slow;kept_again_s;unsafe;event;scenario";

  private static final int BLOCK_SECONDS = 10;
  private static final long SECOND = 1_000_000_000L;

  /**
   * A part of the promise.
   *
   * @param share that broke it
   * @param chance of so high a share where the true one is what is allowed; 1 if it is lower, or if
   *     the part is not promised
   */
  record Part(double share, double chance) {
    private static Part of(JointOutcome outcome, Promised part) {
      BlockRatio found = outcome.share(part, BLOCK_SECONDS);
      double above = found.above(outcome.allowed(part));
      return new Part(
          found.share(), above > 0 ? Student.beyond(above, Math.max(1, found.blocks() - 1)) : 1);
    }

    private String text() {
      return String.format(Locale.ROOT, "%.6f;%.3g", share, chance);
    }
  }

  static JointScenarioRow of(JointScenario scenario, String name, JointOutcome outcome) {
    int second = (int) ((scenario.fromNanos() - scenario.world().warmUpNanos()) / SECOND);
    return new JointScenarioRow(
        scenario.world().seed(),
        name,
        outcome.joules(),
        Part.of(outcome, Promised.STALE),
        Part.of(outcome, Promised.READ_P99),
        outcome.keptAgainAfter(second).orElse(-1),
        String.join(" | ", outcome.unsafe()).replace(';', ','),
        scenario.event(),
        scenario.description());
  }

  /** The same chance for the part that is most likely broken. */
  double chance() {
    return Math.min(stale.chance(), slow.chance());
  }

  String text() {
    return String.format(
        Locale.ROOT,
        "%d;%s;%.1f;%s;%s;%d;%s;%s;%s",
        seed,
        name,
        joules,
        stale.text(),
        slow.text(),
        again,
        unsafe,
        event,
        description);
  }

  static List<JointScenarioRow> read(Path file) throws IOException {
    List<JointScenarioRow> rows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String[] cells = line.split(";", -1);
      if (cells.length == 11 && !line.equals(HEADER)) {
        rows.add(
            new JointScenarioRow(
                Long.parseLong(cells[0]),
                cells[1],
                Double.parseDouble(cells[2]),
                new Part(Double.parseDouble(cells[3]), Double.parseDouble(cells[4])),
                new Part(Double.parseDouble(cells[5]), Double.parseDouble(cells[6])),
                Integer.parseInt(cells[7]),
                cells[8],
                cells[9],
                cells[10]));
      }
    }
    return rows;
  }
}
