package org.calando.store.redis;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.RoleEvent;
import org.calando.store.redis.internal.RoleAgent;

/**
 * Watches the roles of a master's and its replicas' processes: asks each node itself, and listens
 * to the Sentinels, which only make it ask sooner and raise sooner. One thread serves all
 * connections. Thread safe.
 *
 * <p>A question costs about 20 microseconds of CPU time, so a hundred nodes at ten polls a second
 * are about a fiftieth of a core.
 */
public final class RoleMonitor implements AutoCloseable {
  private final RoleAgent agent;

  private RoleMonitor(RoleAgent agent) {
    this.agent = agent;
  }

  /**
   * Begins to watch; returns at once. Until a node has answered it may be the master.
   *
   * @param clock nanoseconds, of any origin
   * @param listener told each change, in order, on the monitor's own thread; is not to block
   * @throws org.calando.core.FailedWorkException if no selector can be opened
   */
  public static RoleMonitor start(
      RoleMonitorConfig config, LongSupplier clock, Consumer<RoleEvent> listener) {
    return new RoleMonitor(RoleAgent.start(config, clock, listener));
  }

  /** What is known of each node, by name. */
  public List<NodeView> view() {
    return agent.view();
  }

  /** What is wrong with nodes, one sentence each; empty if all answer. */
  public List<String> problems() {
    return agent.problems();
  }

  /** Asks all nodes now. */
  public void pollNow() {
    agent.pollNow();
  }

  /** CPU time of the monitor's own thread so far, in nanoseconds. */
  public long cpuNanos() {
    return agent.cpuNanos();
  }

  /** Closes all connections and ends the thread; idempotent. */
  @Override
  public void close() {
    agent.close();
  }
}
