package org.calando.cli;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.calando.clock.LeaseFolders;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.governor.Governor;
import org.calando.study.Progress;
import org.calando.study.StopSignal;
import org.calando.studyfile.GearGovernSpec;
import org.calando.studyfile.GovernSpec;
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
        "Sets the CPU clocks of your Redis or Valkey servers on this machine by their roles,"
            + " until Ctrl-C or SIGTERM; then restores them. Prints a line for each change, and the"
            + " energy account each minute. Or shifts the gear of an HDFS by a policy, or sets other"
            + " knobs of a cluster. See docs/govern-reference.md and docs/gear-policies.md.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class GovernCommand implements Callable<Integer> {
  private static final long LOOK_NANOS = 200_000_000L;
  private static final long MINUTE_NANOS = 60_000_000_000L;

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
          "Prints each node's role and what would be written to set its clock, and writes"
              + " nothing. Exit code 2 where clocks cannot be set, 1 where no node answers.")
  private boolean dryRun;

  @ParentCommand private Main main;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws InterruptedException {
    Path parent = file.toAbsolutePath().getParent();
    Path base = parent == null ? Path.of("") : parent;
    PrintStream stdout = new PrintStream(System.out, true, OutputOptions.charset());
    if (StudyFile.isGearGovernor(file)) {
      GearGovernSpec gears = StudyFile.readGearGovern(file, settings);
      try (Progress progress = output.progress()) {
        new GearGovern(gears, dryRun, output.json(), stdout).run(base, main.stop(), progress);
      }
      return 0;
    }
    GovernNews news = new GovernNews(stdout, output.json(), Clock.systemUTC());
    try {
      if (StudyFile.isClusterGovernor(file)) {
        governClusters(base, news);
        return 0;
      }
      GovernSpec spec = StudyFile.readGovern(file, settings);
      if (dryRun) {
        tell(spec, base, news);
      } else {
        govern(spec, base, news);
      }
    } finally {
      news.print(0);
    }
    return 0;
  }

  private void governClusters(Path base, GovernNews news) throws InterruptedException {
    ServiceGovern service = new ServiceGovern(file, settings, base, news);
    if (dryRun) {
      service.dryRun();
    } else {
      service.run(main.stop());
    }
  }

  private static void tell(GovernSpec spec, Path base, GovernNews news) {
    Governor.DryRun found = Governor.dryRun(spec, base, news, news::told);
    for (NodeView view : found.nodes()) {
      news.told("now: " + view.node() + " " + GovernNews.word(view));
    }
    requireGovernable(found);
  }

  /**
   * Fails as the governor itself would.
   *
   * @throws BadRequestException if clocks cannot be set
   * @throws FailedWorkException if no node answers
   */
  static void requireGovernable(Governor.DryRun found) {
    if (found.refused().isPresent()) {
      throw found.refused().get();
    }
    if (found.nodes().stream().allMatch(view -> view.role() == Role.UNKNOWN)) {
      throw new FailedWorkException(
          "no node answers",
          String.join(", ", found.nodes().stream().map(NodeView::node).toList()),
          "start them, or correct their addresses and password");
    }
  }

  private void govern(GovernSpec spec, Path base, GovernNews news) throws InterruptedException {
    StopSignal stop = main.stop();
    String owner = "govern " + file.toAbsolutePath();
    LeaseFolders folders = StateFolder.leases();
    Path decisions = StateFolder.decisions("clock", file.toAbsolutePath().toString());
    try (Governor governor =
        Governor.begin(spec, base, folders, owner, decisions, news, news::told)) {
      watch(governor, news, stop);
    }
    news.told("clocks are as they were before");
  }

  private static void watch(Governor governor, GovernNews news, StopSignal stop)
      throws InterruptedException {
    List<String> problems = List.of();
    long nextAccount = System.nanoTime() + MINUTE_NANOS;
    while (!stop.isRequested()) {
      news.print(LOOK_NANOS);
      List<String> now = governor.problems();
      if (!now.equals(problems)) {
        now.forEach(news::trouble);
        problems = now;
      }
      if (System.nanoTime() - nextAccount >= 0) {
        nextAccount += MINUTE_NANOS;
        news.energy(governor.energy());
      }
    }
    news.energy(governor.energy());
  }
}
