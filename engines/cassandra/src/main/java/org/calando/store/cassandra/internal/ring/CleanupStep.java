package org.calando.store.cassandra.internal.ring;

import java.util.concurrent.CompletableFuture;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Plan;
import org.calando.store.cassandra.MovePace;
import org.calando.store.cassandra.RingNode;
import org.calando.store.cassandra.TokenMover.End;
import org.calando.store.cassandra.TokenMover.Ended;
import org.calando.store.cassandra.internal.Quiet;

/**
 * One node drops what it is no replica of. Nothing tells afterwards that it did: a process that
 * goes on with a plan has it done again, which finds nothing to drop. Not thread safe.
 */
public final class CleanupStep implements Plan.Action {
  private static final long LOOK_NANOS = 1_000_000_000L;

  private final RingNode node;
  private final MoveMeans means;
  private boolean done;

  /** A step of {@link org.calando.store.cassandra.TokenKnob}. */
  public CleanupStep(RingNode node, MoveMeans means) {
    this.node = node;
    this.means = means;
  }

  @Override
  public String name() {
    return "cleanup-" + node.hostId();
  }

  @Override
  public String describe() {
    return "drop from " + node.name() + " what it is no replica of (cleanup)";
  }

  @Override
  public void perform() throws InterruptedException {
    MovePace pace = means.pace();
    Quiet.await(means.view(), pace, describe());
    pace.begun(describe());
    long begun = pace.nanoTime();
    CompletableFuture<Ended> order = means.mover().cleanup(node).toCompletableFuture();
    while (!order.isDone()) {
      if (pace.nanoTime() - begun > means.within().toNanos()) {
        throw new FailedWorkException(
            "has not ended within " + means.within().toSeconds() + " s; it continues by itself",
            "cleanup of " + node.name(),
            "wait for its end (nodetool compactionstats), then use --resume");
      }
      pace.pause(LOOK_NANOS);
    }
    Ended ended = order.join();
    if (ended.end() != End.DONE) {
      throw new FailedWorkException(
          ended.reason(), "cleanup of " + node.name(), "see its system.log, then --resume");
    }
    done = true;
  }

  @Override
  public boolean isDone() {
    return done;
  }

  /** What was dropped is on the nodes that own it; a move back streams it again. */
  @Override
  public void undo() {}
}
