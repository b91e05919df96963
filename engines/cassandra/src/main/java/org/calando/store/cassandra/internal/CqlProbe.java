package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.calando.core.BadRequestException;

/**
 * Asks the virtual tables, which each node answers for itself. They miss hints in the file that is
 * still being written.
 */
final class CqlProbe implements Settling.Probe {
  private static final SimpleStatement POOLS =
      SimpleStatement.newInstance(
          "SELECT name, active_tasks, pending_tasks FROM system_views.thread_pools");
  private static final SimpleStatement HINTS =
      SimpleStatement.newInstance("SELECT files FROM system_views.pending_hints");
  private static final List<String> WATCHED = List.of("CompactionExecutor", "HintsDispatcher");

  private final CqlSession session;

  private CqlProbe(CqlSession session) {
    this.session = session;
  }

  /**
   * A probe that may ask what it will ask.
   *
   * @throws BadRequestException if the user may not read the virtual tables
   */
  static CqlProbe of(CqlSession session) {
    try {
      var unused = session.execute(POOLS);
    } catch (UnauthorizedException e) {
      throw new BadRequestException(
          "the user may not see whether the nodes have work left (" + e.getMessage() + ")",
          "keyspace system_views",
          "GRANT SELECT ON KEYSPACE system_views to it, or give every node's jmx in the inventory");
    } catch (DriverException e) {
      // Each node is asked by itself later, with time to come back.
    }
    return new CqlProbe(session);
  }

  @Override
  public List<String> workLeft() {
    List<String> left = new ArrayList<>();
    for (Node node : session.getMetadata().getNodes().values()) {
      String name = Objects.toString(node.getEndPoint());
      if (node.getState() == NodeState.DOWN) {
        left.add(name + " is down");
        continue;
      }
      try {
        ask(node, name, left);
      } catch (DriverException e) {
        left.add(name + " does not answer (" + e.getMessage() + ")");
      }
    }
    return left;
  }

  private void ask(Node node, String name, List<String> left) {
    for (Row row : session.execute(POOLS.setNode(node))) {
      String pool = row.getString(0);
      int tasks = row.getInt(1) + row.getInt(2);
      if (pool != null && WATCHED.contains(pool) && tasks > 0) {
        left.add(name + " " + pool + " " + tasks + " tasks");
      }
    }
    int files = 0;
    for (Row row : session.execute(HINTS.setNode(node))) {
      files += row.getInt(0);
    }
    if (files > 0) {
      left.add(name + " " + files + " hint files");
    }
  }

  @Override
  public void close() {}
}
