package org.calando.cli.study;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.nio.file.Path;
import org.calando.cli.OutputOptions;
import org.calando.cli.Shell;
import org.calando.report.ResultsTable;
import org.calando.study.Progress;
import org.calando.study.StopSignal;
import org.calando.study.StudyReport;
import org.calando.study.StudyRunner;

/** Runs a study for a command and shows how it ended. */
final class StudyWork {
  private final StopSignal stop;
  private final OutputOptions output;

  StudyWork(StopSignal stop, OutputOptions output) {
    this.stop = stop;
    this.output = output;
  }

  /** Runs it; the exit code is 0 if no run failed, else 1. */
  int run(StudyRunner.Request request) throws InterruptedException {
    StudyRunner.Result result;
    try (Progress progress = output.progress()) {
      result = run(request, progress);
    }
    show(request.out(), result);
    return result.failed().isEmpty() ? 0 : 1;
  }

  private StudyRunner.Result run(StudyRunner.Request request, Progress progress)
      throws InterruptedException {
    try {
      return new StudyRunner(request, progress, stop).run();
    } catch (StopSignal.StoppedException e) {
      progress.line(
          "Stopped. Finished runs are kept; the same command with --resume continues, and ./calando"
              + " report "
              + Shell.quote(request.out().toString())
              + " draws what there is.");
      throw e;
    }
  }

  private void show(Path out, StudyRunner.Result result) {
    PrintStream stdout = new PrintStream(System.out, true, OutputOptions.charset());
    if (output.json()) {
      ObjectNode answer = new ObjectMapper().createObjectNode();
      answer.put("out", out.toString());
      answer.put("report", result.report().toString());
      answer.put("runs", result.runs());
      result.failed().forEach(answer.putArray("failed")::add);
      stdout.println(answer.toPrettyString());
      return;
    }
    stdout.println();
    stdout.println(ResultsTable.read(out).render(OutputOptions.charset()));
    if (!result.failed().isEmpty()) {
      stdout.println(
          result.failed().size()
              + " of "
              + result.runs()
              + " runs failed; repeat them with --resume.");
    }
    StudyReport.paperLine(out).ifPresent(stdout::println);
    stdout.println("Report: " + result.report());
  }
}
