package org.calando.cli;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.calando.cli.govern.GovernVerbs;
import org.calando.core.BadRequestException;
import org.calando.governor.dashboard.Dashboards;
import org.calando.governor.promise.AlertRules;
import org.calando.studyfile.ServiceSpec;
import org.calando.studyfile.StudyFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

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
            + " each change. SIGHUP reads the file again. See docs/operations.md. A command asks a"
            + " governor that runs; see docs/governor-api.md.",
    synopsisSubcommandLabel = "[COMMAND]",
    subcommands = {
      GovernVerbs.Status.class,
      GovernVerbs.Pause.class,
      GovernVerbs.Resume.class,
      GovernVerbs.Hold.class,
      GovernVerbs.Undo.class,
      GovernVerbs.Promise.class
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class GovernCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..1",
      paramLabel = "FILE.yaml",
      description = "The governor's file; see docs/govern-reference.md.")
  private @Nullable Path file;

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

  @Option(
      names = "--dashboards",
      paramLabel = "DIR",
      description =
          "Writes dashboards for Grafana of the file's clusters into a folder, as JSON, and governs"
              + " nothing.")
  private @Nullable Path dashboards;

  @ParentCommand private Main main;

  @Spec private CommandLine.Model.CommandSpec spec;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws InterruptedException {
    Path given = file;
    if (given == null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "Missing required parameter: 'FILE.yaml'");
    }
    Path parent = given.toAbsolutePath().getParent();
    Path base = parent == null ? Path.of("") : parent;
    PrintStream stdout = new PrintStream(System.out, true, OutputOptions.charset());
    if (alertRules) {
      stdout.print(AlertRules.yaml(clusters(given)));
      return 0;
    }
    if (dashboards != null) {
      Dashboards.write(clusters(given), dashboards).forEach(stdout::println);
      return 0;
    }
    ServiceGovern.ofFile(
            "govern",
            given.toAbsolutePath().toString(),
            () -> read(given),
            base,
            new GovernNews(stdout, output.json(), Clock.systemUTC()))
        .run(dryRun, main.stop());
    return 0;
  }

  private ServiceSpec clusters(Path given) {
    ServiceSpec clusters = read(given);
    if (clusters.attended()) {
      throw new BadRequestException(
          "has no clusters, and so no promises to alert of", given.toString(), "write clusters");
    }
    return clusters;
  }

  private ServiceSpec read(Path given) {
    return StudyFile.readService(given, settings, StateFolder::local);
  }
}
