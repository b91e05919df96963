package org.calando.gears.rack;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;
import org.calando.gears.rack.RackStatus.Problem;
import org.calando.store.cassandra.gear.RackServers.Grace;
import org.calando.store.cassandra.gear.RackServers.Graces;

/*
 * Hints of a table expire with its deletions, without a trace; and rows that were deleted while a rack was off come back
 * with it once the others have purged the deletions. A table that was made meanwhile has no row there to come back.
 */
/** Whether deletions outlast the time for which racks are off. Stateless. */
final class RackGraces {
  private static final long WINDOW_SECONDS =
      TimeUnit.MILLISECONDS.toSeconds(RackHints.WINDOW_MILLIS);

  /** Delivery and repairs may take a day each; a tenth where deletions are kept for few days. */
  private static final long MARGIN_SECONDS = TimeUnit.DAYS.toSeconds(1);

  /** What adaptive sessions agree by: each row ends by itself within minutes, on every node. */
  private static final String SIGNALS = ".calando_signals";

  private static final String REPLACE =
      "replace %s, each with an empty disk (cassandra.replace_address_first_boot)";

  private RackGraces() {}

  /** Why no rack may go off. */
  static Optional<Problem> problem(RackMeans means, Graces graces) {
    if (graces.unknown().isPresent()) {
      String why = "gc_grace_seconds is not known: " + graces.unknown().get();
      if (graces.isSecured()) {
        return Optional.of(
            new Problem(why, "tables of the cluster", "fix what keeps it from logging in"));
      }
      means.tell(
          why
              + "; look that no table has less than 86400, and bring the rack back within 24 h, or"
              + " by ./calando govern, whose file has the login");
    }
    return graces
        .shortest(table -> true)
        .filter(shortest -> shortest.seconds() < WINDOW_SECONDS)
        .map(
            shortest ->
                new Problem(
                    "its hints and deletions are kept for %d s, and a rack may be off for 24 h"
                        .formatted(shortest.seconds()),
                    "table " + shortest.table(),
                    "ALTER TABLE %s WITH gc_grace_seconds = 864000, or 86400 at least"
                        .formatted(shortest.table())));
  }

  /** Ids of the tables that there are; empty if they are not known. */
  static Optional<SortedSet<String>> tables(Graces graces) {
    SortedSet<String> ids = new TreeSet<>();
    graces.tables().forEach(table -> ids.add(table.id()));
    return graces.unknown().isPresent() ? Optional.empty() : Optional.of(ids);
  }

  /**
   * Refuses to have nodes back that were off for longer than a table keeps its deletions: rows that
   * were deleted meanwhile would come back with them. Nodes that were replaced have nothing of
   * then.
   *
   * @param isFirst whether delivery and repair are still to come, which take their time
   * @throws FailedWorkException naming the table
   */
  static void require(
      RackMeans means, RackState state, Collection<String> coming, boolean isFirst) {
    if (coming.stream().allMatch(name -> isReplaced(means, state, name))) {
      return;
    }
    String replace = REPLACE.formatted(String.join(", ", coming));
    OptionalLong off = means.offSeconds(state);
    Graces graces = means.servers().graces();
    // A shift up that began in time delivers for a day at most, and nobody can ask later either.
    long most = isFirst ? WINDOW_SECONDS : WINDOW_SECONDS + MARGIN_SECONDS;
    if (graces.unknown().isPresent() && (off.isEmpty() || off.getAsLong() >= most)) {
      throw new FailedWorkException(
          "was off for %d h or longer, and gc_grace_seconds is not known: rows that were deleted"
                  .formatted(TimeUnit.SECONDS.toHours(most))
              + " meanwhile may come back: "
              + graces.unknown().get(),
          state.setting().words(),
          "fix that; where clients log in, shift up by ./calando govern, whose file has the login."
              + " Or "
              + replace);
    }
    Optional<Grace> shortest = graces.shortest(table -> mayComeBack(state, table));
    if (shortest.isPresent()) {
      require(shortest.get(), off, isFirst, replace);
    }
  }

  private static void require(Grace shortest, OptionalLong off, boolean isFirst, String replace) {
    String table = "table " + shortest.table();
    if (off.isEmpty()) {
      throw new FailedWorkException(
          "for how long nodes were off is not known, and deletions are kept for %d s"
                  .formatted(shortest.seconds())
              + " (gc_grace_seconds): rows that were deleted meanwhile may come back",
          table,
          "set this machine's clock. Or " + replace);
    }
    long seconds = off.getAsLong();
    if (shortest.seconds() <= seconds) {
      throw new FailedWorkException(
          "was off for %d s, and deletions are kept for %d s (gc_grace_seconds): rows that were"
                  .formatted(seconds, shortest.seconds())
              + " deleted meanwhile would come back",
          table,
          (replace
                  + ". Or, if none of its rows was deleted: ALTER TABLE %s WITH gc_grace_seconds"
                  + " = %d, and again")
              .formatted(shortest.table(), 2 * seconds));
    }
    if (isFirst && mostOff(shortest) <= seconds) {
      throw new FailedWorkException(
          "was off for %d s, and deletions are kept for %d s (gc_grace_seconds): they may expire"
                  .formatted(seconds, shortest.seconds())
              + " before hints are delivered and nodes repaired",
          table,
          "ALTER TABLE %s WITH gc_grace_seconds = %d now, while none has expired, and again"
              .formatted(shortest.table(), 2 * shortest.seconds()));
    }
  }

  /** For how long racks may be off, in seconds, until the table keeps them off. */
  static long mostOff(Grace table) {
    return table.seconds() - Math.min(MARGIN_SECONDS, table.seconds() / 10);
  }

  /** Tables of which hints may have expired, in words that follow a name. */
  static List<String> doubts(RackMeans means, RackState state) {
    OptionalLong off = means.offSeconds(state);
    return means.servers().graces().tables().stream()
        .filter(table -> off.isEmpty() || table.seconds() <= off.getAsLong())
        .map(table -> "hints of %s are kept for %d s".formatted(table.table(), table.seconds()))
        .toList();
  }

  /**
   * Whether nodes that were off may have rows of a table that were deleted meanwhile. Where it is
   * not known which tables there were, each may have been.
   */
  static boolean mayComeBack(RackState state, Grace table) {
    return !table.table().endsWith(SIGNALS)
        && state.tables().map(ids -> ids.contains(table.id())).orElse(true);
  }

  private static boolean isReplaced(RackMeans means, RackState state, String node) {
    return means
        .servers()
        .sight(node)
        .filter(sight -> !sight.hostId().equals(state.hostId(node)))
        .isPresent();
  }
}
