package org.calando.store.cassandra.internal;

import java.util.Optional;
import org.calando.core.FailedWorkException;
import org.calando.store.cassandra.MovePace;
import org.calando.store.cassandra.RingView;

/** Waits until a cluster is at rest. Stateless. */
public final class Quiet {
  /** Gossip needs some seconds to tell all nodes of the end of a move, a start some more. */
  public static final long PATIENCE_NANOS = 90_000_000_000L;

  private static final long LOOK_NANOS = 1_000_000_000L;

  private Quiet() {}

  /**
   * Waits until nothing stands in the way of a step; a minute and a half at most.
   *
   * @param step in words
   * @throws FailedWorkException if something still does
   */
  public static void await(RingView view, MovePace pace, String step) throws InterruptedException {
    long begun = pace.nanoTime();
    Optional<String> obstacle = view.obstacle();
    while (obstacle.isPresent()) {
      if (pace.nanoTime() - begun > PATIENCE_NANOS) {
        throw new FailedWorkException(
            obstacle.get() + "; nothing was begun",
            "before this step: " + step,
            "fix that, then continue with --resume");
      }
      pace.progress("waiting: " + obstacle.get());
      pace.pause(LOOK_NANOS);
      obstacle = view.obstacle();
    }
  }
}
