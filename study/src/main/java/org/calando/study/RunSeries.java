package org.calando.study;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.time.Spoken;
import org.calando.engine.LogTail;
import org.calando.engine.Target;
import org.calando.report.column.RunRecord;

/**
 * Carries out runs one after another, each into its own folder, and tells how each ended. A run
 * that fails does not stop the others. Not thread safe.
 */
final class RunSeries {
  private final RunKeeper keeper;
  private final Target target;
  private final RunProcedure procedure;
  private final RunSummary summaries;
  private final Progress progress;
  private final StopSignal stop;
  private boolean hasRun;

  /**
   * Nothing yet.
   *
   * @param hasRun whether the study's command has carried out a run before
   */
  RunSeries(
      RunKeeper keeper,
      Target target,
      RunProcedure procedure,
      RunSummary summaries,
      Progress progress,
      StopSignal stop,
      boolean hasRun) {
    this.keeper = keeper;
    this.target = target;
    this.procedure = procedure;
    this.summaries = summaries;
    this.progress = progress;
    this.stop = stop;
    this.hasRun = hasRun;
  }

  /**
   * Carries out the runs that are left.
   *
   * @param left these runs, in order
   * @param before number of the study's runs that are finished
   * @param after number of the study's runs that follow these
   * @param afterEach called when a run's folder is in its place
   * @throws BadRequestException if the first run that is tried is refused: nothing is recorded
   *     then, as most of what is refused is so for all; of a later one it is noted that it failed
   * @throws org.calando.core.FailedWorkException if the study's folder cannot be written
   * @throws StopSignal.StoppedException if a stop was requested
   */
  void carryOut(List<RunConfig> left, int before, int after, Runnable afterEach)
      throws InterruptedException {
    int all = before + left.size() + after;
    long begunNanos = System.nanoTime();
    String timeLeft = "";
    for (int done = 0; done < left.size(); ) {
      stop.check();
      RunConfig run = left.get(done);
      done++;
      String heading = "[%d/%d] %s".formatted(before + done, all, run.words());
      String outcome = carryOut(run, heading + timeLeft + ": ");
      hasRun = true;
      timeLeft = timeLeft(System.nanoTime() - begunNanos, done, left.size() - done + after);
      progress.line(heading + timeLeft + ": " + outcome);
      afterEach.run();
    }
  }

  /** In words, from what finished runs took; empty if no run is left. */
  static String timeLeft(long nanos, int done, int left) {
    Duration rest = Duration.ofNanos(nanos / done).multipliedBy(left);
    return left == 0 ? "" : " (about " + Spoken.of(rest) + " left)";
  }

  /** How the run ended, in words. */
  private String carryOut(RunConfig run, String heading) throws InterruptedException {
    ObjectNode summary =
        keeper.keep(
            run,
            files -> attempt(run, files, heading),
            files -> LogTail.keep(target.nodes(), files));
    return RunKeeper.outcome(summary);
  }

  private ObjectNode attempt(RunConfig run, RunFiles files, String heading)
      throws InterruptedException {
    Instant started = Instant.now();
    double load = HostEnvironment.loadAverage();
    ObjectNode summary = attempt(run, files, heading, started);
    if (load >= 0) {
      summary.put("load_average", load);
    }
    return summary;
  }

  private ObjectNode attempt(RunConfig run, RunFiles files, String heading, Instant started)
      throws InterruptedException {
    try {
      List<String> restarted = target.heal();
      if (!restarted.isEmpty()) {
        progress.line("Started again: " + String.join(", ", restarted));
      }
      RunRecord found = procedure.execute(run, files, heading);
      return summaries.measured(run, found, started, Instant.now());
    } catch (CalandoException e) {
      stop.check(); // a cluster that ends because we are to end is no failed run
      if (e instanceof BadRequestException && !hasRun) {
        throw e;
      }
      return summaries.failed(run, String.valueOf(e.getMessage()), started, Instant.now());
    }
  }
}
