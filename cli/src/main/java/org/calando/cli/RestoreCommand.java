package org.calando.cli;

import java.util.concurrent.Callable;
import org.calando.clock.Machine;
import org.calando.clock.PlatformClasses;
import org.calando.clock.RestoreReport;
import org.calando.clock.Restorer;
import org.calando.core.BadRequestException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code calando restore}: puts back what ended commands had leased. */
@Command(
    name = "restore",
    mixinStandardHelpOptions = true,
    description =
        "Restores clocks and threads that an ended command had changed and its guard has not"
            + " restored, whichever user ran it, and what it had leased of clusters. Leases of running commands stay. Unfinished plans"
            + " of gears, idle servers and token layouts are listed with the command that finishes"
            + " each, and stay. Exit code 1 if something is not restored.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class RestoreCommand implements Callable<Integer> {
  @Option(names = "--dry-run", description = "Prints what would be restored and changes nothing.")
  private boolean dryRun;

  @Option(
      names = "--force",
      description =
          "Restores also what another process has changed since, and from the owner's note where"
              + " a journal is damaged.")
  private boolean force;

  @Option(names = "--abandon", description = "Restores nothing and forgets what is not restored.")
  private boolean abandon;

  @Option(names = "--give-up", hidden = true, description = "The former name of --abandon.")
  private boolean giveUp;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    PlatformClasses.only();
    boolean forget = abandon || giveUp;
    if (force && forget) {
      throw new BadRequestException(
          "--force and --abandon contradict each other", "restore", "leave one of them out");
    }
    Restorer.Mode mode =
        force ? Restorer.Mode.FORCE : forget ? Restorer.Mode.GIVE_UP : Restorer.Mode.RESTORE;
    RestoreReport report =
        new Restorer(Machine.real(), StateFolder.leases(), mode, dryRun)
            .restoreAll()
            .with(
                new Restorer(Machine.real(), StateFolder.leases().ofClusters(), mode, dryRun)
                    .restoreAll())
            .with(new UnfinishedPlans(StateFolder.base()).report());
    if (output.json()) {
      System.out.println(report.json().toPrettyString());
    } else {
      report.lines().forEach(System.out::println);
    }
    return report.ok() ? 0 : 1;
  }
}
