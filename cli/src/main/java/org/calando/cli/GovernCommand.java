package org.calando.cli;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.calando.core.BadRequestException;
import org.calando.governor.promise.AlertRules;
import org.calando.studyfile.ServiceSpec;
import org.calando.studyfile.StudyFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * {@code calando govern}: sets the clocks of a user's own servers by their roles, the gear of an
 * HDFS by its load, or other knobs of a cluster.
 */
@Command(
    name = "govern",
    mixinStandardHelpOptions = true,
    description =
        "Observes your clusters, and sets the knobs that the file names (clocks, gears and others)"
            + " until Ctrl-C or SIGTERM; then restores them, gears excepted. Prints a line for"
            + " each change. SIGHUP reads the file again. See docs/operations.md.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class GovernCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE.yaml",
      description = "The governor's file; see docs/govern-reference.md.")
  private Path file;

  @Option(
      names = "--set",
      paramLabel = "PATH=VALUE",
      description = "Replaces a value of the file, such as clock=slack. Repeatable.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--dry-run",
      description =
          "Prints what each knob is and what would be set, and sets nothing. Exit code 2 where a"
              + " knob would be refused, 1 where a cluster cannot be asked.")
  private boolean dryRun;

  @Option(
      names = "--alert-rules",
      description =
          "Prints rules for Prometheus' alerts of the file's clusters and their promises, as YAML,"
              + " and governs nothing.")
  private boolean alertRules;

  @ParentCommand private Main main;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws InterruptedException {
    Path parent = file.toAbsolutePath().getParent();
    Path base = parent == null ? Path.of("") : parent;
    PrintStream stdout = new PrintStream(System.out, true, OutputOptions.charset());
    if (alertRules) {
      stdout.print(AlertRules.yaml(clusters()));
      return 0;
    }
    ServiceGovern.ofFile(
            "govern",
            file.toAbsolutePath().toString(),
            this::read,
            base,
            new GovernNews(stdout, output.json(), Clock.systemUTC()))
        .run(dryRun, main.stop());
    return 0;
  }

  private ServiceSpec clusters() {
    ServiceSpec spec = read();
    if (spec.attended()) {
      throw new BadRequestException(
          "has no clusters, and so no promises to alert of", file.toString(), "write clusters");
    }
    return spec;
  }

  private ServiceSpec read() {
    return StudyFile.readService(file, settings, StateFolder::local);
  }
}
