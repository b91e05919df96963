package org.calando.core.store;

import java.util.List;
import org.calando.core.replication.NodeView;

/**
 * A capability of sessions of stores with one master: which nodes answer a read that asks one, from
 * the next read on. Thread safe.
 */
public interface ReadRoute {
  /** What is read through it: a table, in the store's own terms. */
  String table();

  /** The nodes that may answer. */
  ReadFrom readFrom();

  /** Sends reads to other nodes. */
  void readFrom(ReadFrom from);

  /**
   * What is known of each node's role, and of how far behind the master it is; times are of {@link
   * System#nanoTime}.
   */
  List<NodeView> roles();
}
