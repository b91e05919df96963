package org.calando.cli;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.energy.Profiles;
import org.calando.gears.CatchUpPace;
import org.calando.gears.GearDoctor;
import org.calando.gears.GearShifter;
import org.calando.gears.GearStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code calando gear ...}: which groups of nodes of an HDFS cluster are on. */
@Command(
    name = "gear",
    mixinStandardHelpOptions = true,
    description =
        "Shifts the gear of an HDFS cluster whose blocks are placed by RABBIT or PARAID: switches"
            + " groups of nodes off and on, every block readable; see docs/gears.md.",
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
  abstract static class Part extends ShiftPart<GearAccess> {
    @Mixin GearOptions options;

    @Mixin OutputOptions output;

    @Override
    OutputOptions output() {
      return output;
    }

    @Override
    GearAccess open(GearProgress news) {
      return options.open(pace(), news);
    }

    CatchUpPace pace() {
      return CatchUpPace.FOREGROUND;
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
              + " maintenance, a switch reports another state than it should or none, or blocks"
              + " cannot be read.")
  static final class Status extends Part {
    @Override
    int answer(GearAccess access) {
      GearStatus status = GearStatus.of(access.means());
      show(GearAnswer.of(status, access.isLocal()));
      return status.isWell() ? 0 : 1;
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
    int answer(GearAccess access) throws InterruptedException {
      GearShifter shifter = new GearShifter(access.means(), "./calando gear plan");
      int from = shifter.gear();
      List<String> steps = shifter.dryRun(gear);
      Optional<GearPrice> price =
          gear == from
              ? Optional.empty()
              : Optional.of(
                  GearPrice.of(GearStatus.of(access.means()), access.profiles(), profile, gear));
      show(GearAnswer.plan(from, gear, steps, price));
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

    /** Whether all nodes of the gear are meant. */
    boolean isPlain() {
      return true;
    }

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
    int answer(GearAccess access) throws InterruptedException {
      String name = direction() > 0 ? "up" : "down";
      unfinished.refuseMixed(
          "gear", gear != null || dryRun || !isPlain(), "--to, --dry-run and --without");
      GearShifter shifter = new GearShifter(access.means(), "./calando gear " + name);
      int from = shifter.gear();
      boolean open = access.openPlan().isPresent();
      if (unfinished.abandon) {
        shifter.abandon();
      } else if (unfinished.undo) {
        reviveIf(open, shifter);
        shifter.undo();
      } else if (unfinished.resume) {
        reviveIf(open, shifter);
        shifter.resume();
        access.requireServing();
      } else {
        int highest = access.means().file().layout().groups().gears();
        int to = gear == null ? Math.max(1, Math.min(highest, from + direction())) : gear;
        shifter.requireGear(to);
        requireDirection(from, to);
        boolean end = gear == null && to == from && isPlain();
        boolean stays = to == from && !open && (direction() < 0 || end);
        if (dryRun) {
          List<String> again = direction() < 0 ? List.of() : shifter.dryRevive();
          List<String> steps = stays ? again : shifter.dryRun(to);
          show(GearAnswer.plan(from, to, steps, Optional.empty()));
          return 0;
        }
        Set<String> without = without(access);
        if (!open && !stays) {
          // A request that is refused switches nothing.
          shifter.require(to, without);
        }
        reviveIf(direction() > 0 && !open, shifter);
        if (stays) {
          access.requireServing();
          String which =
              end ? "in the " + (to == 1 ? "lowest" : "highest") + " gear" : "in gear " + to;
          show(Answer.said("the cluster is " + which + " already"));
          return 0;
        }
        if (without.isEmpty()) {
          shifter.shift(to);
        } else {
          shifter.shiftWithout(to, without);
        }
        access.requireServing();
      }
      show(GearAnswer.shifted(from, shifter.gear(), access.totals()));
      return 0;
    }

    /** Nodes that stay off, as the gear file names them. */
    Set<String> without(GearAccess access) {
      return Set.of();
    }

    private static void reviveIf(boolean needed, GearShifter shifter) throws InterruptedException {
      if (needed) {
        shifter.revive();
      }
    }

    private void requireDirection(int from, int to) {
      if ((to - from) * direction() < 0) {
        throw new BadRequestException(
            "the cluster is in gear " + from + ", and " + to + " is the other way",
            "--to",
            "use ./calando gear " + (to > from ? "up" : "down"));
      }
    }
  }

  /** Shifts up. */
  @Command(
      name = "up",
      mixinStandardHelpOptions = true,
      description =
          "Switches nodes on, waits for their reports, has them serve and brings blocks home; --to"
              + " the gear it is in switches on what is to be on and is not, and brings blocks"
              + " home. Exit code 1 if a node that is to be on does not serve then.")
  static final class Up extends Shift {
    @Option(
        names = "--without",
        paramLabel = "NODE",
        split = ",",
        description =
            "Nodes that stay off, by number or as the gear file has them: one that does not boot"
                + " keeps the others from nothing. Gives up an unfinished plan to the same gear.")
    private List<String> without = List.of();

    @Override
    int direction() {
      return 1;
    }

    @Override
    boolean isPlain() {
      return without.isEmpty();
    }

    @Override
    Set<String> without(GearAccess access) {
      return without.stream().map(access::node).collect(Collectors.toSet());
    }
  }

  /** Shifts down. */
  @Command(
      name = "down",
      mixinStandardHelpOptions = true,
      description =
          "Checks that every block can be read without them, has nodes in maintenance and switches"
              + " them off.")
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
          "Checks gear file, hosts file, NameNode, placement policy, settings and switches; changes"
              + " nothing. Exit code 1 if something is wrong.")
  static final class Doctor extends Part {
    @Override
    int answer(GearAccess access) {
      GearDoctor doctor = GearDoctor.of(access.means());
      show(GearAnswer.of(doctor));
      return doctor.isWell() ? 0 : 1;
    }
  }
}
