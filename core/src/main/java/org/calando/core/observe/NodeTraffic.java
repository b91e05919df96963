package org.calando.core.observe;

import org.calando.core.FailedWorkException;

/**
 * What each node of a cluster received and sent, by its own counters. One thread at a time for each
 * node.
 */
public interface NodeTraffic extends AutoCloseable {
  /** A capability of clusters whose nodes count their traffic. */
  interface Source {
    /** Connects to nobody yet. */
    NodeTraffic traffic();
  }

  /**
   * Bytes since a node's start.
   *
   * @param received received
   * @param sent sent
   */
  record Bytes(long received, long sent) {}

  /** The number of nodes that can be read, in their order; 0 if their counters are not reached. */
  int nodes();

  /**
   * Reads a node's counters; there may be no limit to how long that takes.
   *
   * @param node index of the node
   * @throws FailedWorkException if it does not answer, or answers something else
   */
  Bytes read(int node);

  @Override
  void close();
}
