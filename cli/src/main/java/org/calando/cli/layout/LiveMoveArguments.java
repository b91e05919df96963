package org.calando.cli.layout;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.calando.cli.layout.LiveMoveRequest.What;
import org.calando.core.BadRequestException;
import org.calando.core.layout.WarmShare;
import org.calando.schema.ArgumentReader;
import org.calando.schema.ScalarType;
import org.calando.schema.Types;
import org.jspecify.annotations.Nullable;

/** Reads what {@code layout move} is asked for of a live cluster; all that is wrong at once. */
final class LiveMoveArguments {
  static final String INVENTORY = "--inventory";
  static final String LOCAL = "--local";
  static final String RESUME = "--resume";
  static final String UNDO = "--undo";
  static final String ABANDON = "--abandon";
  static final String CLEANUP = "--cleanup";
  static final String MOVE_COMMAND = "--move-command";
  static final String CLEANUP_COMMAND = "--cleanup-command";
  static final String WITHIN = "--within";
  static final String ALLOW_LOAD = "--allow-load";
  static final String SET = "--set";

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

  private final ArgumentReader arguments = new ArgumentReader();

  /** Takes an argument; null if it was not given. */
  void put(String name, @Nullable String text) {
    arguments.put(name, text);
  }

  /**
   * What is asked for.
   *
   * @param moveCommand as given
   * @param cleanupCommand as given
   * @throws BadRequestException naming everything that is wrong
   */
  LiveMoveRequest request(@Nullable String moveCommand, @Nullable String cleanupCommand) {
    if (arguments.has(INVENTORY) && arguments.has(LOCAL)) {
      arguments.wrong(LOCAL, "is given beside --inventory", "name one cluster");
    }
    for (String name : TOLD_BY_THE_CLUSTER) {
      if (arguments.has(name)) {
        arguments.wrong(name, "is what the cluster itself tells", "remove it");
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
