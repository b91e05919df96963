package org.calando.study;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.calando.core.FailedWorkException;

/**
 * Carries out runs one after another, each into its own folder, and tells how each ended. A run
 * that fails does not stop the others. Not thread safe.
 */
final class RunSeries {
  private final StudyFolder folder;
  private final Target target;
  private final SingleRun single;
  private final RunSummary summaries;
  private final Progress progress;
  private final StopSignal stop;

  RunSeries(
      StudyFolder folder,
      Target target,
      SingleRun single,
      RunSummary summaries,
      Progress progress,
      StopSignal stop) {
    this.folder = folder;
    this.target = target;
    this.single = single;
    this.summaries = summaries;
    this.progress = progress;
    this.stop = stop;
  }

  /**
   * Carries out the runs that are left.
   *
   * @param left these runs, in order
   * @param before number of the study's runs that are finished
   * @param after number of the study's runs that follow these
   * @param afterEach called when a run's folder is in its place
   * @throws FailedWorkException if the study's folder cannot be written
   * @throws StopSignal.StoppedException if a stop was requested
   */
  void carryOut(List<RunConfig> left, int before, int after, Runnable afterEach)
      throws InterruptedException {
    int all = before + left.size() + after;
    long begunNanos = System.nanoTime();
    for (int done = 0; done < left.size(); done++) {
      stop.check();
      String timeLeft = "";
      if (done > 0) {
        Duration each = Duration.ofNanos((System.nanoTime() - begunNanos) / done);
        Duration rest = each.multipliedBy(left.size() - done + after);
        timeLeft = " (about " + Progress.spoken(rest) + " left)";
      }
      RunConfig run = left.get(done);
      int number = before + done + 1;
      carryOut(run, "[%d/%d] %s%s: ".formatted(number, all, run.words(), timeLeft));
      afterEach.run();
    }
  }

  private void carryOut(RunConfig run, String heading) throws InterruptedException {
    Path files = folder.begin(run.id());
    ObjectNode summary;
    boolean finished = false;
    try {
      try (RunFiles writing = RunFiles.open(files)) {
        summary = attempt(run, writing, heading);
      }
      if (!isOk(summary)) {
        LogTail.keep(target.nodes(), files);
      }
      folder.finish(run.id(), summary);
      finished = true;
    } finally {
      if (!finished) {
        folder.abandon(run.id());
      }
    }
    progress.line(heading + outcome(summary));
  }

  private ObjectNode attempt(RunConfig run, RunFiles files, String heading)
      throws InterruptedException {
    Instant started = Instant.now();
    try {
      List<String> restarted = target.heal();
      if (!restarted.isEmpty()) {
        progress.line("Started again: " + String.join(", ", restarted));
      }
      MeasuredRun found = single.execute(run, files, heading);
      return summaries.measured(run, found, started, Instant.now());
    } catch (FailedWorkException e) {
      stop.check(); // a cluster that ends because we are to end is no failed run
      return summaries.failed(run, String.valueOf(e.getMessage()), started, Instant.now());
    }
  }

  private static boolean isOk(JsonNode summary) {
    return summary.path("row").path("status").asText().equals("ok");
  }

  private static String outcome(JsonNode summary) {
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
    return text.toString();
  }

  private static String rounded(String figure) {
    return String.format(Locale.ROOT, "%,.0f", Double.parseDouble(figure));
  }
}
