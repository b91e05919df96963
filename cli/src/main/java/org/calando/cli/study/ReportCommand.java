package org.calando.cli.study;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.calando.cli.OutputOptions;
import org.calando.study.StudyReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code calando report DIR}: makes a study's report again. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = "Makes report.html of a study's folder again.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
public final class ReportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "A study's folder, such as out/demo.")
  private Path folder;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    Path report = StudyReport.write(folder);
    System.out.println(
        output.json()
            ? new ObjectMapper()
                .createObjectNode()
                .put("report", report.toString())
                .toPrettyString()
            : "Report: " + report);
    return 0;
  }
}
