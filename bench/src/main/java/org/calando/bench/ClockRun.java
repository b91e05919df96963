package org.calando.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.calando.core.FailedWorkException;
import org.calando.report.Csv;

/**
 * A finished run of a study of clocks, as its line in {@code results.csv} has it.
 *
 * @param replicas of the master
 * @param block whose runs are compared with each other
 * @param workload its name
 * @param clock the policy
 * @param row all cells
 */
record ClockRun(
    int replicas, String block, String workload, String clock, Map<String, String> row) {
  ClockRun {
    row = Map.copyOf(row);
  }

  /**
   * The runs of a study that did not fail.
   *
   * @param study its folder; no runs if it has no results yet
   * @param replicas that it had
   */
  static List<ClockRun> of(Path study, int replicas) {
    Path file = study.resolve("results.csv");
    List<ClockRun> runs = new ArrayList<>();
    if (!Files.exists(file)) {
      return runs;
    }
    try {
      for (Map<String, String> row : Csv.parse(Files.readString(file), file.toString())) {
        if (row.getOrDefault("status", "").equals("ok")) {
          runs.add(
              new ClockRun(
                  replicas,
                  study.getFileName() + " " + row.getOrDefault("repeat", ""),
                  row.getOrDefault("workload", ""),
                  row.getOrDefault("clock", ""),
                  row));
        }
      }
      return runs;
    } catch (IOException e) {
      throw new FailedWorkException(
          "results cannot be read: " + e, file.toString(), "run the study again", e);
    }
  }

  /** A figure; NaN where there is none. */
  double figure(String column) {
    String cell = row.getOrDefault(column, "");
    return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
  }

  /** Whether the workload is one of YCSB's, and not memtier's. */
  boolean isYcsb() {
    return workload.startsWith("ycsb");
  }
}
