package org.calando.core.observe;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * What clients ask of each node of a cluster, by the nodes' own counters. Implementations are
 * thread safe.
 */
public interface ClientRequests extends AutoCloseable {
  /** A capability of clusters whose nodes count the requests of their clients. */
  interface Source {
    /**
     * Connects; blocks until then.
     *
     * @throws org.calando.core.CalandoException if the cluster cannot be asked
     */
    ClientRequests requests();
  }

  /**
   * Requests of clients that a node has answered, each counted by one node.
   *
   * @param life names the node's process or its connection: the counts of another life may have
   *     begun anew
   * @param atNanos when the counts were these, by {@link System#nanoTime}
   * @param reads 0 or more
   * @param writes 0 or more
   */
  record Count(long life, long atNanos, long reads, long writes) {}

  /**
   * Asks every node at once; does not block.
   *
   * @return when each node has answered or missed its deadline: the counts by the nodes' names;
   *     nodes that did not answer are absent
   */
  CompletionStage<Map<String, Count>> ask();

  /** What was wrong with nodes in the last round, one sentence each; empty if all answered. */
  List<String> problems();

  /** Asks no more. Idempotent. */
  @Override
  void close();
}
