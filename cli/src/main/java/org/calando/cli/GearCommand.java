package org.calando.cli;

import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.energy.Profiles;
import org.calando.gears.CatchUpPace;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code calando gear ...}: which groups of a cluster's nodes are on. */
@Command(
    name = "gear",
    mixinStandardHelpOptions = true,
    description =
        "Shifts the gear of an HDFS cluster whose blocks are placed by RABBIT or PARAID: switches"
            + " groups of nodes off and on, every block readable; see docs/gears.md. Or of a"
            + " Cassandra: powers racks down and up; see docs/cassandra-gears.md.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      GearCommand.Plan.class,
      GearCommand.Status.class,
      GearCommand.Up.class,
      GearCommand.Down.class,
      GearCommand.Doctor.class,
      GearLogCommand.class
    })
final class GearCommand extends CommandGroup {
  /** What all of them need. */
  @SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
  abstract static class Part extends ShiftPart<GearWork> {
    @Mixin GearOptions options;

    @Mixin OutputOptions output;

    @Override
    OutputOptions output() {
      return output;
    }

    @Override
    GearWork open(GearProgress news) {
      return options.open(pace(), news);
    }

    CatchUpPace pace() {
      return CatchUpPace.FOREGROUND;
    }

    /** Shows it; the exit code. */
    final int show(GearWork.Told told) {
      show(told.answer());
      return told.well() ? 0 : 1;
    }
  }

  /** Tells how it is. */
  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description =
          "Shows the gear, the nodes and what is out of place. Exit code 1 while a plan is"
              + " unfinished, the NameNode reports another gear than the gear file, a node that"
              + " should be on does not serve or answer, one that should be off is not in"
              + " maintenance, a switch reports another state than it should or none, blocks cannot"
              + " be read, or a node of a Cassandra keeps hints for too short a time.")
  static final class Status extends Part {
    @Override
    int answer(GearWork access) {
      return show(access.status());
    }
  }

  /** Tells what a shift would do. */
  @Command(
      name = "plan",
      mixinStandardHelpOptions = true,
      description = "Shows what a shift would do, step by step, and what it would move.")
  @SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
  static final class Plan extends Part {
    @Option(
        names = "--to",
        paramLabel = "GEAR",
        required = true,
        description = "The gear to shift to; the one it is in brings blocks home.")
    private int gear;

    @Option(
        names = "--profile",
        paramLabel = "NAME",
        description =
            "Power profile of nodes whose inventory names none; xeon-x3440 without it. For the"
                + " joules of the shift.")
    private String profile = Profiles.DEFAULT;

    @Override
    int answer(GearWork access) throws InterruptedException {
      show(access.plan(gear, profile));
      return 0;
    }
  }

  /** Shifts. */
  @SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
  abstract static class Shift extends Part {
    @Option(
        names = "--to",
        paramLabel = "GEAR",
        description = "The gear to shift to; the next one without it.")
    private @Nullable Integer gear;

    @Option(names = "--dry-run", description = "Prints the steps and changes nothing.")
    private boolean dryRun;

    @Mixin private UnfinishedPlanOptions unfinished;

    @Option(
        names = "--background",
        description = "Brings blocks home slowly, so that others hardly notice.")
    private boolean background;

    @Option(
        names = "--bandwidth",
        paramLabel = "BYTES",
        description = "Limit of what is brought home, in bytes a second for the whole cluster.")
    private @Nullable Long bandwidth;

    abstract int direction();

    @Override
    CatchUpPace pace() {
      CatchUpPace usual = background ? CatchUpPace.BACKGROUND : CatchUpPace.FOREGROUND;
      if (bandwidth != null && bandwidth < 1) {
        throw new BadRequestException(
            "is " + bandwidth, "--bandwidth", "give bytes a second, such as 12500000");
      }
      return bandwidth == null ? usual : new CatchUpPace(bandwidth, usual.perNode());
    }

    @Override
    int answer(GearWork access) throws InterruptedException {
      unfinished.refuseMixed(
          "gear", gear != null || dryRun || !without().isEmpty(), "--to, --dry-run and --without");
      show(
          access.shift(
              new GearWork.Order(
                  direction(), Optional.ofNullable(gear), dryRun, unfinished, without())));
      return 0;
    }

    /** Nodes that stay off. */
    List<String> without() {
      return List.of();
    }
  }

  /** Shifts up. */
  @Command(
      name = "up",
      mixinStandardHelpOptions = true,
      description =
          "Switches nodes on, waits for their reports, puts them in service and brings blocks home;"
              + " --to the present gear switches on nodes that should be on and are not, and brings"
              + " blocks home. A rack of a Cassandra serves clients once it has all writes made"
              + " meanwhile. Exit code 1 if a node that should be on does not serve then.")
  static final class Up extends Shift {
    @Option(
        names = "--without",
        paramLabel = "NODE",
        split = ",",
        description =
            "Nodes that stay off, by number or as the gear file has them, of a Cassandra by name:"
                + " one that does not boot keeps the others from nothing. Gives up an unfinished"
                + " plan to the same gear.")
    private List<String> without = List.of();

    @Override
    int direction() {
      return 1;
    }

    @Override
    List<String> without() {
      return without;
    }
  }

  /** Shifts down. */
  @Command(
      name = "down",
      mixinStandardHelpOptions = true,
      description =
          "Of an HDFS: checks that every block can be read without them, has nodes in maintenance"
              + " and switches them off. Of a Cassandra: checks that every range keeps its copies"
              + " and no hints are undelivered, drains a rack and switches it off.")
  static final class Down extends Shift {
    @Override
    int direction() {
      return -1;
    }
  }

  /** Checks the installation. */
  @Command(
      name = "doctor",
      mixinStandardHelpOptions = true,
      description =
          "Checks gear file, hosts file, NameNode, placement policy, settings and switches; of a"
              + " Cassandra nodes, hints, schema and replication. Changes nothing. Exit code 1 if"
              + " something is wrong.")
  static final class Doctor extends Part {
    @Override
    int answer(GearWork access) {
      return show(access.doctor());
    }
  }
}
