package org.calando.core.replication;

import java.util.List;

/** Who tells the roles of nodes. Implementations are thread safe. */
public interface RoleSource extends AutoCloseable {
  /** What is known of each node. */
  List<NodeView> view();

  /** What is wrong with the watch or with nodes, one sentence each; empty if all answer. */
  List<String> problems();

  /** CPU time that watching took so far, in nanoseconds. */
  long cpuNanos();

  /** Ends the watch; idempotent. */
  @Override
  void close();
}
