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

  /** Share of these reads that the master answers in place of any of those nodes, 0 .. 1. */
  double masterShare();

  /** Sends reads to other nodes, but a share of them, 0 .. 1, to the master. */
  void readFrom(ReadFrom from, double masterShare);

  /** Sends reads to other nodes. */
  default void readFrom(ReadFrom from) {
    readFrom(from, 0);
  }

  /**
   * What is known of each node's role, and of how far behind the master it is; times are of {@link
   * System#nanoTime}.
   */
  List<NodeView> roles();
}
