package org.calando.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.calando.study.report.ReportWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code calando report DIR}: makes a study's report again. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = "Makes report.html of a study's folder again.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class ReportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "A study's folder, such as out/demo.")
  private Path folder;

  @Override
  public Integer call() {
    System.out.println("Report: " + ReportWriter.write(folder));
    return 0;
  }
}
