package org.calando.study;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Gives each run a folder of its own and keeps what came of it, whole or not at all. Thread safe,
 * as long as no two threads have the same run.
 */
final class RunKeeper {
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
    return summary.path("row").path("status").asText().equals("ok");
  }

  /** How a run ended, in a line. */
  static String outcome(JsonNode summary) {
    JsonNode row = summary.path("row");
    if (!isOk(summary)) {
      return "FAILED: " + row.path("message").asText().lines().findFirst().orElse("");
    }
    StringBuilder text = new StringBuilder();
    text.append(rounded(row.path("throughput_ops_s").asText())).append(" ops/s");
    if (!row.path("joules_per_kop").asText().isEmpty()) {
      text.append(", ").append(rounded(row.path("joules_per_kop").asText()));
      text.append(" J/kop ").append(row.path("provenance").asText());
    }
    if (!row.path("stale_rate").asText().isEmpty()) {
      double rate = Double.parseDouble(row.path("stale_rate").asText());
      text.append(String.format(Locale.ROOT, ", %.2f %% stale", rate * 100));
    }
    if (row.path("warm_up_s").asDouble() > 0) {
      text.append(", after ").append(rounded(row.path("warm_up_s").asText())).append(" s warm-up");
    }
    return text.toString();
  }

  private static String rounded(String figure) {
    return String.format(Locale.ROOT, "%,.0f", Double.parseDouble(figure));
  }
}
