package org.calando.concerto;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.calando.core.replication.RoleEvent;

/**
 * Changes of roles that wait for the next decision. Beyond so many that wait, one decision covers
 * them all the same. Thread safe.
 */
final class RoleEvents {
  private static final int MOST_WAITING = 1024;

  private final BlockingQueue<RoleEvent> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private volatile Runnable wake = () -> {};

  /** Has a decision be taken for what waits, and whenever a change is added; does not block. */
  void onAdd(Runnable decide) {
    wake = decide;
    if (!waiting.isEmpty()) {
      decide.run();
    }
  }

  /** A change. Does not block. */
  void add(RoleEvent event) {
    boolean unused = waiting.offer(event);
    wake.run();
  }

  /** All that wait, and wait no more. */
  List<RoleEvent> take() {
    List<RoleEvent> taken = new ArrayList<>();
    waiting.drainTo(taken);
    return taken;
  }
}
