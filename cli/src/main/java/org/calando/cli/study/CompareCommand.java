package org.calando.cli.study;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.calando.cli.OutputOptions;
import org.calando.report.compare.StudyComparison;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code calando compare DIR_A DIR_B}: two studies side by side. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description =
        "Compares two studies' folders: the second's figures against the first's, for each"
            + " configuration that both have.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
public final class CompareCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "DIR_A", description = "A study's folder: the reference.")
  private Path first;

  @Parameters(index = "1", paramLabel = "DIR_B", description = "The folder compared to it.")
  private Path second;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    StudyComparison comparison = StudyComparison.of(first, second);
    PrintStream stdout = new PrintStream(System.out, true, OutputOptions.charset());
    stdout.println(
        output.json()
            ? comparison.json().toPrettyString()
            : comparison.render(OutputOptions.charset()).stripTrailing());
    return 0;
  }
}
