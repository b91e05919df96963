package org.calando.cli;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.calando.control.OffSetting;
import org.calando.core.energy.Profiles;
import org.calando.gears.idle.IdleMeans;
import org.calando.gears.idle.IdleNode;
import org.calando.gears.idle.IdleNodeGears;
import org.calando.gears.idle.IdlePlan;
import org.calando.gears.idle.IdleShifter;
import org.calando.gears.idle.IdleStatus;
import org.calando.gears.idle.LocalIdle;
import org.calando.gears.idle.Nearness;
import org.calando.local.hbase.LocalHBase;
import org.calando.study.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code calando idle ...}: which servers of an HBase sleep. */
@Command(
    name = "idle",
    mixinStandardHelpOptions = true,
    description =
        "Powers down idle RegionServers of an HBase, each with its DataNode, while others serve"
            + " their regions; and powers them up again. See docs/idle.md.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      IdleCommand.Plan.class,
      IdleCommand.Status.class,
      IdleCommand.Down.class,
      IdleCommand.Up.class,
      IdleWatchCommand.class
    })
final class IdleCommand extends CommandGroup {
  /** The cluster that all of them work on. */
  record Servers(LocalIdle idle) implements ShiftPart.Access {
    IdleMeans means() {
      return idle.means();
    }

    @Override
    public Optional<String> openPlan() {
      return IdleShifter.unfinished(means().path()).map(last -> IdleShifter.RESUME);
    }

    @Override
    public void close() {
      idle.close();
    }
  }

  /** What all of them need. */
  @SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
  abstract static class Part extends ShiftPart<Servers> {
    @Mixin IdleOptions options;

    @Mixin OutputOptions output;

    @Override
    OutputOptions output() {
      return output;
    }

    @Override
    Servers open(GearProgress news) {
      return new Servers(options.open(news));
    }

    @Override
    final int answer(Servers access) throws InterruptedException {
      return answer(access.means());
    }

    abstract int answer(IdleMeans means) throws InterruptedException;
  }

  /** Tells how it is. */
  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description =
          "Shows which servers are powered down, and where regions and their bytes are. Exit code"
              + " 1 while a plan is unfinished, a node is not in the state that it should be in or"
              + " does not answer, a switch reports another state than it should or none, regions are"
              + " not served, or blocks cannot be read.")
  static final class Status extends Part {
    @Override
    int answer(IdleMeans means) {
      IdleStatus status = IdleStatus.of(means);
      show(IdleAnswer.of(status));
      return status.isSettled() ? 0 : 1;
    }
  }

  /** Tells what a shift would do. */
  @Command(
      name = "plan",
      mixinStandardHelpOptions = true,
      description = "Shows what powering down nodes would do, and what it would save.")
  static final class Plan extends Part {
    @Option(
        names = "--asleep",
        paramLabel = "NODE",
        split = ",",
        description =
            "All nodes that are powered down afterwards; by default those that are now, and the"
                + " last one that is up.")
    private List<String> asleep = List.of();

    @Option(
        names = "--profile",
        paramLabel = "NAME",
        description = "Power profile of the nodes, for the joules; xeon-x3440 without it.")
    private String profile = Profiles.DEFAULT;

    @Override
    int answer(IdleMeans means) throws InterruptedException {
      IdleShifter shifter = new IdleShifter(means, "./calando idle plan");
      Set<String> to =
          asleep.isEmpty() ? Down.next(means, shifter.current()) : new TreeSet<>(asleep);
      show(planned(means, shifter.dryRun(to), profile));
      return 0;
    }
  }

  private static Answer planned(IdleMeans means, IdlePlan plan, String profile) {
    int nodes = means.nodes().size();
    int from = nodes - plan.from().off().size();
    int to = nodes - plan.to().off().size();
    return IdleAnswer.plan(
        plan,
        from == to
            ? Optional.empty()
            : Optional.of(GearPrice.of(from, to, profile, IdleNodeGears.OFF_SECONDS)));
  }

  /** Has nodes sleep, or wakes them. */
  @SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
  abstract static class Shift extends Part {
    @Option(
        names = "--node",
        paramLabel = "NODE",
        split = ",",
        description =
            "Nodes by name. Without it, down takes the last node that is up, and up takes all.")
    private List<String> nodes = List.of();

    @Option(names = "--dry-run", description = "Prints the steps and changes nothing.")
    boolean dryRun;

    @Mixin UnfinishedPlanOptions unfinished;

    abstract String name();

    /** What it would do. */
    abstract IdlePlan plan(IdleMeans means, IdleShifter shifter, Set<String> named)
        throws InterruptedException;

    /** Does it. */
    abstract void shift(IdleMeans means, IdleShifter shifter, Set<String> named)
        throws InterruptedException;

    @Override
    int answer(IdleMeans means) throws InterruptedException {
      unfinished.refuseMixed("idle", dryRun || !nodes.isEmpty(), "--node and --dry-run");
      IdleShifter shifter = new IdleShifter(means, "./calando idle " + name());
      OffSetting from = shifter.current();
      if (dryRun) {
        show(planned(means, plan(means, shifter, new TreeSet<>(nodes)), Profiles.DEFAULT));
        return 0;
      }
      if (unfinished.abandon) {
        shifter.abandon();
        show(IdleAnswer.of(IdleStatus.of(means)));
        return 0;
      }
      long begun = System.nanoTime();
      Nearness before = Nearness.of(means);
      if (unfinished.undo) {
        shifter.undo();
      } else if (unfinished.resume) {
        shifter.resume();
      } else {
        shift(means, shifter, new TreeSet<>(nodes));
      }
      options.noteProcesses();
      double seconds = (System.nanoTime() - begun) / 1e9;
      OffSetting now = shifter.current();
      Nearness after = Nearness.of(means);
      show(IdleAnswer.shifted(from, now, before, after, seconds, shifter.strays()));
      return 0;
    }
  }

  /** Has nodes sleep. */
  @Command(
      name = "down",
      mixinStandardHelpOptions = true,
      description =
          "Moves the regions of servers to others, and switches the servers off with their"
              + " DataNodes; refused where a block would be on no DataNode that stays. If a"
              + " plan had HBase's balancer off, --abandon leaves it so until ./calando idle up --local.")
  static final class Down extends Shift {
    @Override
    String name() {
      return "down";
    }

    @Override
    IdlePlan plan(IdleMeans means, IdleShifter shifter, Set<String> named)
        throws InterruptedException {
      return shifter.dryRun(target(means, shifter.current(), named));
    }

    @Override
    void shift(IdleMeans means, IdleShifter shifter, Set<String> named)
        throws InterruptedException {
      shifter.shift(target(means, shifter.current(), named));
    }

    private static Set<String> target(IdleMeans means, OffSetting now, Set<String> named) {
      if (named.isEmpty()) {
        return next(means, now);
      }
      Set<String> asleep = new TreeSet<>(now.off());
      asleep.addAll(named);
      return asleep;
    }

    /** Those that sleep, and the last that is awake. */
    static Set<String> next(IdleMeans means, OffSetting now) {
      Set<String> asleep = new TreeSet<>(now.off());
      means.nodes().stream()
          .map(IdleNode::name)
          .filter(name -> !now.off().contains(name))
          .reduce((first, second) -> second)
          .ifPresent(asleep::add);
      return asleep;
    }
  }

  /** Wakes nodes. */
  @Command(
      name = "up",
      mixinStandardHelpOptions = true,
      description =
          "Switches DataNodes and their RegionServers on, waits for reports, and moves regions"
              + " back. Where none is powered down it repairs those that are not in the state that"
              + " they should be in, and HBase's balancer, which --abandon leaves off if the plan had"
              + " switched it off. Servers that have died and without which HBase does not answer are"
              + " started first, with their data.")
  static final class Up extends Shift {
    private boolean revived;

    @Override
    void prepare(Progress progress) {
      LocalHBase cluster = options.cluster();
      revived = !dryRun && !unfinished.abandon && !cluster.lacking().isEmpty();
      if (revived) {
        progress.line("Starting the servers again that have died ...");
        LocalIdle.revive(cluster);
      }
    }

    @Override
    String name() {
      return "up";
    }

    @Override
    IdlePlan plan(IdleMeans means, IdleShifter shifter, Set<String> named)
        throws InterruptedException {
      return shifter.dryRunWake(named);
    }

    @Override
    void shift(IdleMeans means, IdleShifter shifter, Set<String> named)
        throws InterruptedException {
      // What has come back may be all that there was to do.
      if (!revived || isLeft(shifter, named)) {
        shifter.wake(named);
      }
    }

    private static boolean isLeft(IdleShifter shifter, Set<String> named) {
      Set<String> left = shifter.strays();
      left.addAll(shifter.current().off());
      return named.isEmpty() ? !left.isEmpty() : left.stream().anyMatch(named::contains);
    }
  }
}
