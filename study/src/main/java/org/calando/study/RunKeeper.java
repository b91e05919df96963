package org.calando.study;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;
import org.calando.report.RunRow;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.LoadColumns;
import org.calando.report.column.RunColumns;

/**
 * Gives each run a folder of its own and keeps what came of it, whole or not at all. Thread safe,
 * as long as no two threads have the same run.
 */
final class RunKeeper {
  /** In a summary: rows of the run's decisions.csv. */
  static final String DECISION_ROWS = "decision_rows";

  private final StudyFolder folder;

  RunKeeper(StudyFolder folder) {
    this.folder = folder;
  }

  /** Does a run, and gives its summary. */
  interface Attempt {
    /**
     * Does it.
     *
     * @param files of the run, open
     */
    ObjectNode run(RunFiles files) throws InterruptedException;
  }

  /**
   * Carries out a run.
   *
   * @param attempt the run itself; what it throws leaves no trace of the run
   * @param ifFailed told the run's folder, if its summary says that it failed
   * @return the summary
   * @throws org.calando.core.FailedWorkException if the study's folder cannot be written
   */
  ObjectNode keep(RunConfig run, Attempt attempt, Consumer<Path> ifFailed)
      throws InterruptedException {
    Path files = folder.begin(run.id());
    ObjectNode summary;
    boolean finished = false;
    try {
      try (RunFiles writing = RunFiles.open(files)) {
        summary = attempt.run(writing);
        writing.notes().forEach(summary.withArray("notes")::add);
        writing.decided().ifPresent(rows -> summary.put(DECISION_ROWS, rows));
      }
      if (!isOk(summary)) {
        ifFailed.accept(files);
      }
      folder.finish(run.id(), summary);
      finished = true;
    } finally {
      if (!finished) {
        folder.abandon(run.id());
      }
    }
    return summary;
  }

  /** Whether a run's figures count. */
  static boolean isOk(JsonNode summary) {
    return !StudyFolder.row(summary).failed();
  }

  /** How a run ended, in a line. */
  static String outcome(JsonNode summary) {
    RunRow row = StudyFolder.row(summary);
    if (row.failed()) {
      return "FAILED: " + row.text(RunColumns.MESSAGE).lines().findFirst().orElse("");
    }
    StringBuilder text = new StringBuilder();
    text.append(rounded(row.number(LoadColumns.THROUGHPUT_OPS_S))).append(" ops/s");
    double energy = row.number(EnergyColumns.JOULES_PER_KOP);
    if (!Double.isNaN(energy)) {
      text.append(", ").append(significant(energy)).append(" J/kop ").append(row.provenance());
    }
    if (!Double.isNaN(row.staleRate())) {
      text.append(String.format(Locale.ROOT, ", %.2f %% stale", row.staleRate() * 100));
    }
    double warmUp = row.number(RunColumns.WARM_UP_S);
    if (warmUp > 0) {
      text.append(", after ").append(rounded(warmUp)).append(" s warm-up");
    }
    return text.toString();
  }

  private static String rounded(double figure) {
    return String.format(Locale.ROOT, "%,.0f", figure);
  }

  /** Three significant digits, and all before the point. */
  private static String significant(double value) {
    int places = value == 0 ? 0 : 2 - (int) Math.floor(Math.log10(Math.abs(value)));
    return String.format(Locale.ROOT, "%,." + Math.max(0, Math.min(9, places)) + "f", value);
  }
}
