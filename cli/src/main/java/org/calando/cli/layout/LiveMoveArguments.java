package org.calando.cli.layout;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.calando.cli.TextArguments;
import org.calando.cli.TextOptions;
import org.calando.cli.layout.LiveMoveRequest.What;
import org.calando.core.BadRequestException;
import org.calando.core.layout.WarmShare;
import org.calando.schema.ScalarType;
import org.calando.schema.Types;
import org.jspecify.annotations.Nullable;

/** Reads what {@code layout move} is asked for of a live cluster; all that is wrong at once. */
final class LiveMoveArguments extends TextArguments {
  static final TextOptions OPTIONS = new TextOptions();

  static final String INVENTORY =
      OPTIONS.add(
          "--inventory=FILE.yaml", "The live cluster: that of a study's file, or an inventory.");
  static final String LOCAL =
      OPTIONS.add("--local", "The cluster that ./calando local start cassandra left running.");
  static final String RESUME =
      OPTIONS.add("--resume", "Resumes the unfinished plan of this cluster.");
  static final String UNDO =
      OPTIONS.add("--undo", "Moves nodes back to where they were before the unfinished plan.");
  static final String ABANDON =
      OPTIONS.add("--abandon", "Abandons the unfinished plan: nodes stay where they are.");
  static final String CLEANUP =
      OPTIONS.add("--cleanup", "After the moves nodes drop from disk what they no longer own.");
  static final String MOVE_COMMAND =
      OPTIONS.add(
          "--move-command=COMMAND",
          "Command that moves a node whose JMX is not reachable: ssh {address} nodetool move --"
              + " {token}.");
  static final String CLEANUP_COMMAND =
      OPTIONS.add(
          "--cleanup-command=COMMAND",
          "With --move-command and --cleanup: ssh {address} nodetool cleanup.");
  static final String WITHIN =
      OPTIONS.add("--within=TIME", "How long one move may take; 24h by default.");
  static final String ALLOW_LOAD =
      OPTIONS.add("--allow-load", "Allows to move a cluster that is not on this machine.");
  static final String SET =
      OPTIONS.add(
          "--set=PATH=VALUE ...",
          "With --inventory: replaces a value of the study's file. Repeatable.");

  /** Those that only a live cluster has a use for. */
  static final List<String> ALL =
      List.of(
          RESUME, UNDO, ABANDON, CLEANUP, MOVE_COMMAND, CLEANUP_COMMAND, WITHIN, ALLOW_LOAD, SET);

  private static final List<String> TOLD_BY_THE_CLUSTER =
      List.of(
          RingArguments.NODES,
          MoveArguments.FROM,
          MoveArguments.TOKENS,
          MoveArguments.DATA,
          RingArguments.PARTITIONER,
          RingArguments.RF,
          RingArguments.RACKS);

  private static final long SECOND = 1_000_000_000L;
  private static final long DAY = 86_400 * SECOND;
  private static final ScalarType<Long> TIME = Types.duration(SECOND, 30 * DAY);

  LiveMoveArguments() {
    super(OPTIONS);
  }

  /** Whether a live cluster is named. */
  boolean isLive() {
    return arguments.has(INVENTORY) || arguments.has(LOCAL);
  }

  /** What names the cluster; empty for the one that was left running here. */
  Optional<Path> inventory() {
    return Optional.ofNullable(given(INVENTORY)).map(Path::of);
  }

  /**
   * What is asked for.
   *
   * @throws BadRequestException naming everything that is wrong
   */
  LiveMoveRequest request() {
    @Nullable String moveCommand = given(MOVE_COMMAND);
    @Nullable String cleanupCommand = given(CLEANUP_COMMAND);
    if (arguments.has(INVENTORY) && arguments.has(LOCAL)) {
      arguments.wrong(LOCAL, "is given beside --inventory", "name one cluster");
    }
    for (String name : TOLD_BY_THE_CLUSTER) {
      if (arguments.has(name)) {
        arguments.wrong(name, "is read from the cluster itself", "remove it");
      }
    }
    What what = what();
    Optional<WarmShare> share = share(what);
    if (cleanupCommand != null && moveCommand == null) {
      arguments.wrong(
          CLEANUP_COMMAND, "is given without --move-command", "give both, or every node's jmx");
    }
    boolean dryRun = arguments.has(MoveArguments.DRY_RUN);
    if (dryRun && what == What.ABANDON) {
      arguments.wrong(MoveArguments.DRY_RUN, "is given beside --abandon", "remove one of them");
    }
    long within = arguments.optional(WITHIN, TIME).orElse(DAY);
    LiveMoveRequest request =
        new LiveMoveRequest(
            what,
            dryRun,
            share,
            RingArguments.arrangement(arguments),
            arguments.has(CLEANUP),
            moveCommand,
            cleanupCommand,
            Duration.ofNanos(within),
            arguments.has(ALLOW_LOAD));
    arguments.throwIfAny();
    return request;
  }

  private @Nullable String given(String name) {
    return arguments.has(name) ? arguments.text(name) : null;
  }

  private What what() {
    What what = What.GO;
    for (What other : List.of(What.RESUME, What.UNDO, What.ABANDON)) {
      String name = name(other);
      if (arguments.has(name)) {
        if (what != What.GO) {
          arguments.wrong(name, "is given beside " + name(what), "give one of them");
        }
        what = other;
      }
    }
    return what;
  }

  private static String name(What what) {
    return switch (what) {
      case GO -> RingArguments.LAYOUT;
      case RESUME -> RESUME;
      case UNDO -> UNDO;
      case ABANDON -> ABANDON;
    };
  }

  private Optional<WarmShare> share(What what) {
    boolean named = arguments.has(RingArguments.LAYOUT) || arguments.has(RingArguments.WARM);
    if (what == What.GO) {
      if (!named) {
        arguments.wrong(RingArguments.LAYOUT, "is missing", "write " + WarmShare.FORMS);
      }
      return Optional.of(RingArguments.layout(arguments, Optional.empty()));
    }
    for (String name :
        List.of(RingArguments.LAYOUT, RingArguments.WARM, RingArguments.INTERLEAVE, CLEANUP)) {
      if (arguments.has(name)) {
        arguments.wrong(name, "is what the unfinished plan has", "remove it");
      }
    }
    return Optional.empty();
  }
}
