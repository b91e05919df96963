package org.calando.cli.layout;

import java.time.Duration;
import java.util.Optional;
import org.calando.core.layout.Arrangement;
import org.calando.core.layout.WarmShare;
import org.jspecify.annotations.Nullable;

/**
 * What {@code layout move} is asked for of a live cluster. Immutable.
 *
 * @param what what is to be done
 * @param dryRun whether it is told only
 * @param share the layout to go to; empty where an unfinished plan has it
 * @param arrangement in which order the nodes are to stand
 * @param cleanup whether nodes are to drop afterwards what they no longer own
 * @param moveCommand the user's own way to have a node move, or null
 * @param cleanupCommand the user's own way to have it clean up, or null
 * @param within how long a step may take
 * @param allowLoad whether the user allows load on a cluster that is not on this machine
 */
record LiveMoveRequest(
    What what,
    boolean dryRun,
    Optional<WarmShare> share,
    Arrangement arrangement,
    boolean cleanup,
    @Nullable String moveCommand,
    @Nullable String cleanupCommand,
    Duration within,
    boolean allowLoad) {
  /** What is to be done. */
  enum What {
    /** Go to a layout; resumes an unfinished plan that leads there. */
    GO,
    /** Resume the unfinished plan. */
    RESUME,
    /** Take the unfinished plan back. */
    UNDO,
    /** Leave the unfinished plan where it is. */
    ABANDON
  }

  /** The layout in words; empty if none is named. */
  String label() {
    return share
        .map(
            warm ->
                warm.label()
                    + (arrangement == Arrangement.INTERLEAVED && !warm.equals(WarmShare.EVEN)
                        ? " interleaved"
                        : ""))
        .orElse("");
  }
}
