package org.calando.clock.thread;

import java.util.List;
import org.calando.clock.Drift;

/**
 * Where the threads of nodes' processes run, on this machine or others. Implementations are thread
 * safe.
 */
public interface NodeThreads {
  /**
   * Places the threads of a node's process; again with other rules when its role changes, which
   * does not change where they go back to.
   *
   * @param pid the process, on the node's machine
   * @param rules the first whose name fits a thread decides; one that none fits is left alone
   * @throws org.calando.core.BadRequestException if there is no such process, or another owner has
   *     it
   * @throws org.calando.core.FailedWorkException if a thread cannot be moved; all are where they
   *     were
   */
  void pin(String node, int pid, List<ThreadRule> rules);

  /**
   * Places threads that were born since, places those again that somebody else has moved, and
   * forgets processes that have ended.
   *
   * @return the threads that somebody else has moved since the last look, or that cannot be placed
   * @throws org.calando.core.FailedWorkException if what a process that has ended had cannot be
   *     given back
   */
  List<Drift> refresh();
}
