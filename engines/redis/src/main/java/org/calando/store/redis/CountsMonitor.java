package org.calando.store.redis;

import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.calando.core.replication.ServerCounts;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;
import org.calando.store.redis.internal.CountsAgent;

/**
 * Asks servers again and again what they have done: their counts of commands, and the CPU time of
 * their main threads, by the kernel of this machine or the servers' own reports elsewhere. One
 * thread serves all connections. Thread safe.
 *
 * <p>It is no part of {@link RoleMonitor}, whose thread must see a new master in no time, and whose
 * users need no right to ask for the kinds of commands ({@code +acl|cat}).
 */
public final class CountsMonitor implements AutoCloseable {
  /** More often than this nobody is asked, in nanoseconds. */
  public static final long SHORTEST_NANOS = 100_000_000L;

  private final CountsAgent agent;

  private CountsMonitor(CountsAgent agent) {
    this.agent = agent;
  }

  /** Told what servers say, on the monitor's own thread; is not to block. */
  public interface Listener {
    /**
     * A server has answered.
     *
     * @param counts without its offset and the CPU time of I/O threads, which nobody asks for; that
     *     of the main thread is -1 if it is not known
     */
    void counted(String node, ServerCounts counts);

    /** A server does not answer, or is another process than before: counts begin anew. */
    void lost(String node);
  }

  /**
   * Begins to ask; returns at once.
   *
   * @param nodes to ask, of different names
   * @param credentials of all nodes, if they ask for some; may run INFO and ACL CAT
   * @param tls how connections are encrypted; empty: not at all
   * @param periodNanos between two questions to a node, {@link #SHORTEST_NANOS} or more
   * @param clock nanoseconds, of any origin
   * @throws IllegalArgumentException if the period is shorter
   * @throws org.calando.core.FailedWorkException if no selector can be opened
   */
  public static CountsMonitor start(
      List<RedisNode> nodes,
      Optional<Credentials> credentials,
      Optional<TlsSettings> tls,
      long periodNanos,
      LongSupplier clock,
      Listener listener) {
    if (periodNanos < SHORTEST_NANOS) {
      throw new IllegalArgumentException("a period of " + periodNanos + " ns");
    }
    return new CountsMonitor(
        CountsAgent.start(nodes, credentials, tls, periodNanos, clock, listener));
  }

  /** What is wrong with nodes, one sentence each; empty if all answer. */
  public List<String> problems() {
    return agent.problems();
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
