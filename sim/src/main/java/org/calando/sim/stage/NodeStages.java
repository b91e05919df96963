package org.calando.sim.stage;

import org.calando.core.BadRequestException;
import org.calando.sim.kernel.Distribution;

/**
 * The thread pools of a node that requests pass, as those of Cassandra: requests of clients are
 * taken by native transport, writes of replicas by the mutation stage, reads by the read stage,
 * replies by the response stage. What goes to another node and comes from one passes a messaging
 * loop of each, which carries all messages of some connections one after the other.
 *
 * @param nativeThreads of native transport, 1 or more, each of which is taken from a request's
 *     begin until its operation is answered
 * @param loops messaging loops, 1 or more, each a single thread
 * @param mutationThreads of the mutation stage, 1 or more
 * @param readThreads of the read stage, 1 or more
 * @param responseThreads of the response stage, 1 or more
 * @param message what a message costs a loop, at its sender and at its receiver each
 */
public record NodeStages(
    int nativeThreads,
    int loops,
    int mutationThreads,
    int readThreads,
    int responseThreads,
    Distribution message) {
  private static final int MOST = 4096;

  /**
   * Checks the values.
   *
   * @throws BadRequestException if one cannot be
   */
  public NodeStages {
    require("native transport", nativeThreads);
    require("messaging loops", loops);
    require("the mutation stage", mutationThreads);
    require("the read stage", readThreads);
    require("the response stage", responseThreads);
  }

  private static void require(String what, int threads) {
    if (threads < 1 || threads > MOST) {
      throw new BadRequestException(
          "%d threads of %s".formatted(threads, what), "stages", "write 1 to " + MOST);
    }
  }
}
