package org.calando.bench.governed;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.Collection;
import java.util.Objects;

/*
 * Each request that a connection brings is a task of this pool, whoever sent it and whether the connection is still open:
 * queries, prepared or not, of tables real and virtual, batches, what prepares a statement, and the driver's own questions,
 * such as those that show that a connection is alive. Only what opens a connection and logs in is none. What is counted is
 * what is done, so the question itself is not in its own answer, and is in the next one.
 */
/** Requests that all nodes have done since they started, by their own count, which only grows. */
final class ClusterRequests {
  private static final String COUNT =
      "SELECT completed_tasks FROM system_views.thread_pools"
          + " WHERE name = 'Native-Transport-Requests'";

  private final CqlSession driver;
  private long asked;

  ClusterRequests(CqlSession driver) {
    this.driver = driver;
  }

  /** All but those of this class. */
  long count() {
    Collection<Node> nodes = driver.getMetadata().getNodes().values();
    long before = asked;
    long count = 0;
    for (Node node : nodes) {
      count +=
          Objects.requireNonNull(
                  driver
                      .execute(
                          SimpleStatement.newInstance(COUNT)
                              .setConsistencyLevel(DefaultConsistencyLevel.ONE)
                              .setNode(node))
                      .one())
              .getLong(0);
      asked++;
    }
    return count - before;
  }
}
