package org.calando.study;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.store.KeyValueStore;
import org.calando.core.workload.Workload;
import org.calando.local.process.Leftovers;
import org.calando.store.cassandra.CassandraStore;
import org.calando.study.config.StudySpec;
import org.calando.study.config.WorkloadBinder;
import org.calando.study.report.ReportWriter;
import org.jspecify.annotations.Nullable;

/**
 * Runs a study: starts or reaches its cluster, carries out each run that is not finished yet, and
 * keeps {@code results.csv} and {@code report.html} up to date.
 *
 * <p>A run that fails is recorded as failed and does not stop the others; the cluster is healed
 * before the next. Use once, by one thread.
 */
public final class StudyRunner {
  private static final int LOG_LINES_KEPT = 200;

  private final Request request;
  private final StudySpec study;
  private final Progress progress;
  private final StopSignal stop;
  private final List<String> environmentNotes = new ArrayList<>();

  /**
   * What to run.
   *
   * @param study the study
   * @param yaml its file's text with the values that replaced others
   * @param base folder that relative paths in the study are relative to
   * @param out the study's folder
   * @param resume whether to go on with what is in the folder
   * @param allowLoad whether load may be put on a cluster that is not on this machine
   * @param command the command that repeats the study, for the report
   */
  public record Request(
      StudySpec study,
      String yaml,
      Path base,
      Path out,
      boolean resume,
      boolean allowLoad,
      String command) {}

  /**
   * How a study ended.
   *
   * @param report the report
   * @param runs runs that are recorded, failed ones included
   * @param failed ids of the runs that failed
   */
  public record Result(Path report, int runs, List<String> failed) {}

  public StudyRunner(Request request, Progress progress, StopSignal stop) {
    this.request = request;
    this.study = request.study();
    this.progress = progress;
    this.stop = stop;
  }

  /**
   * Runs the study to its end.
   *
   * @throws BadRequestException if the request is wrong: nothing was started
   * @throws FailedWorkException if the cluster or the folder fails for good; finished runs are kept
   * @throws StopSignal.StoppedException if a stop was requested; finished runs are kept
   */
  public Result run() throws InterruptedException {
    requireLoadAllowed();
    try (StudyFolder folder =
        StudyFolder.open(request.out(), study.fingerprint(), request.resume())) {
      List<RunConfig> plan = RunPlan.of(study);
      List<RunConfig> left = unfinished(plan, folder.rows());
      @Nullable ObjectNode earlier = folder.environment();
      if (left.isEmpty() && earlier != null) {
        progress.line("All " + plan.size() + " runs are finished already.");
      } else {
        work(folder, plan, left, earlier);
      }
      return result(folder, plan);
    }
  }

  private void requireLoadAllowed() {
    boolean remote =
        study.store().inventory().map(i -> !InventoryTarget.isOnThisMachine(i)).orElse(false);
    if (remote && !request.allowLoad()) {
      throw new BadRequestException(
          "the study puts load on a cluster that is not on this machine",
          study.name(),
          "add --allow-load if that is what you want; only keyspace "
              + study.store().keyspace()
              + " is written to");
    }
  }

  private static List<RunConfig> unfinished(List<RunConfig> plan, Map<String, ResultRow> rows) {
    return plan.stream()
        .filter(
            run -> {
              ResultRow row = rows.get(run.id());
              return row == null || !row.get("status").equals("ok");
            })
        .toList();
  }

  private void work(
      StudyFolder folder, List<RunConfig> plan, List<RunConfig> left, @Nullable ObjectNode earlier)
      throws InterruptedException {
    Leftovers.sweep()
        .forEach(removed -> progress.line("Cleaned up after an earlier command: " + removed));
    WorkloadBinder.BoundWorkload bound = WorkloadBinder.bind(study.workload());
    Workload workload = bound.workload();
    environmentNotes.addAll(bound.warnings());
    bound.warnings().forEach(warning -> progress.line("Note: " + warning));
    EnvironmentFile environment = new EnvironmentFile(request, earlier);
    if (study.store().local().isPresent()) {
      progress.line("Starting " + study.store().nodes() + " Cassandra nodes ...");
    }
    Instant begun = Instant.now();
    try (Target target = openTarget()) {
      stop.check();
      try (KeyValueStore store = CassandraStore.connect(target.store())) {
        progress.line(
            "%s is up after %s"
                .formatted(
                    store.engine(), Progress.spoken(Duration.between(begun, Instant.now()))));
        folder.writeStudy(request.yaml());
        folder.writeEnvironment(environment.begin(store.engine(), target.nodes()));
        runAll(folder, plan, left, store, target, workload);
        folder.writeEnvironment(environment.finish(environmentNotes));
      }
    }
  }

  private Target openTarget() {
    if (study.store().local().isPresent()) {
      return LocalTarget.start(study.store(), study.store().local().get(), study.power().profile());
    }
    return new InventoryTarget(
        study.store(),
        study.store().inventory().orElseThrow(),
        study.power().profile(),
        request.base());
  }

  private void runAll(
      StudyFolder folder,
      List<RunConfig> plan,
      List<RunConfig> left,
      KeyValueStore store,
      Target target,
      Workload workload)
      throws InterruptedException {
    SingleRun single = new SingleRun(study, workload, store, target, stop, progress);
    RunSummary summaries =
        new RunSummary(study, study.store().engine(), study.power().profile().name());
    Instant begun = Instant.now();
    for (int done = 0; done < left.size(); done++) {
      RunConfig run = left.get(done);
      String heading =
          "[%d/%d] %s%s: "
              .formatted(
                  plan.size() - left.size() + done + 1,
                  plan.size(),
                  run.words(),
                  timeLeft(begun, done, left.size()));
      one(folder, single, summaries, run, heading, target);
      writeResults(folder, plan);
    }
  }

  private static String timeLeft(Instant begun, int done, int all) {
    if (done == 0) {
      return "";
    }
    Duration each = Duration.between(begun, Instant.now()).dividedBy(done);
    return " (about " + Progress.spoken(each.multipliedBy(all - done)) + " left)";
  }

  private void one(
      StudyFolder folder,
      SingleRun single,
      RunSummary summaries,
      RunConfig run,
      String heading,
      Target target)
      throws InterruptedException {
    Path files = folder.begin(run.id());
    Instant started = Instant.now();
    ObjectNode summary;
    boolean finished = false;
    try {
      try (RunFiles writing = new RunFiles(files)) {
        summary = attempt(single, summaries, run, heading, target, writing, started);
      }
      if (!summary.path("row").path("status").asText().equals("ok")) {
        keepLogs(target, files);
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

  private ObjectNode attempt(
      SingleRun single,
      RunSummary summaries,
      RunConfig run,
      String heading,
      Target target,
      RunFiles files,
      Instant started)
      throws InterruptedException {
    try {
      List<String> restarted = target.heal();
      if (!restarted.isEmpty()) {
        progress.line("Started again: " + String.join(", ", restarted));
      }
      MeasuredRun found = single.execute(run, files, heading);
      return summaries.measured(run, found, started, Instant.now());
    } catch (FailedWorkException e) {
      stop.check();
      return summaries.failed(run, String.valueOf(e.getMessage()), started, Instant.now());
    }
  }

  /** The end of each node's log goes with a failed run: the nodes' own folder is temporary. */
  private static void keepLogs(Target target, Path files) {
    for (Target.Node node : target.nodes()) {
      if (node.log().isPresent() && Files.isRegularFile(node.log().get())) {
        try (var lines = Files.lines(node.log().get())) {
          List<String> all = lines.toList();
          List<String> last = all.subList(Math.max(0, all.size() - LOG_LINES_KEPT), all.size());
          Files.write(files.resolve(node.name() + ".log"), last);
        } catch (IOException | java.io.UncheckedIOException e) {
          // The run is failed already; its message matters more than the log.
        }
      }
    }
  }

  private static String outcome(ObjectNode summary) {
    var row = summary.path("row");
    if (!row.path("status").asText().equals("ok")) {
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
      text.append(String.format(java.util.Locale.ROOT, ", %.2f %% stale", rate * 100));
    }
    return text.toString();
  }

  private static String rounded(String figure) {
    return String.format(java.util.Locale.ROOT, "%,.0f", Double.parseDouble(figure));
  }

  /** Rows in the order of the plan, whatever order the runs were finished in. */
  private static void writeResults(StudyFolder folder, List<RunConfig> plan) {
    folder.writeResults(rows(folder, plan));
  }

  private static List<ResultRow> rows(StudyFolder folder, List<RunConfig> plan) {
    Map<String, ResultRow> rows = folder.rows();
    return plan.stream().map(run -> rows.get(run.id())).filter(row -> row != null).toList();
  }

  private static Result result(StudyFolder folder, List<RunConfig> plan) {
    List<ResultRow> rows = rows(folder, plan);
    folder.writeResults(rows);
    Set<String> failed = new TreeSet<>();
    rows.stream()
        .filter(row -> !row.get("status").equals("ok"))
        .forEach(row -> failed.add(row.get("run")));
    Path report = ReportWriter.write(folder.root());
    return new Result(report, rows.size(), List.copyOf(failed));
  }
}
