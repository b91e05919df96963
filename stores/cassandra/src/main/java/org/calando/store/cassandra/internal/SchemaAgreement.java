package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/*
 * The driver asks one node, that of its control connection, which versions it has and holds the
 * others to have. If another one made the change, that node may know nothing of it yet: then all
 * agree, on the schema before the change. And what a node holds others to have is a second old, as
 * gossip is. Each node's own version is neither: the one that made the change has the new version,
 * so that all have it once all have the same.
 */
/** Whether every node has made a change of the schema. Stateless. */
final class SchemaAgreement {
  private static final long FIRST_PAUSE_MILLIS = 5;
  private static final long LAST_PAUSE_MILLIS = 200;

  private static final SimpleStatement QUESTION =
      SimpleStatement.newInstance("SELECT schema_version FROM system.local WHERE key = 'local'")
          .setTimeout(Duration.ofSeconds(5));

  private SchemaAgreement() {}

  /**
   * Waits until all nodes that are not down have the same schema; blocks.
   *
   * @return false if they have not at the deadline
   * @throws FailedWorkException if the wait is interrupted
   */
  static boolean await(CqlSession session, Duration deadline) {
    long end = System.nanoTime() + deadline.toNanos();
    long pauseMillis = FIRST_PAUSE_MILLIS;
    while (!reached(session)) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      pause(pauseMillis);
      pauseMillis = Math.min(2 * pauseMillis, LAST_PAUSE_MILLIS);
    }
    return true;
  }

  private static boolean reached(CqlSession session) {
    List<CompletionStage<AsyncResultSet>> answers =
        session.getMetadata().getNodes().values().stream()
            .filter(SchemaAgreement::mayAnswer)
            .map(node -> session.executeAsync(QUESTION.setNode(node)))
            .toList();
    Set<@Nullable UUID> versions = new HashSet<>();
    for (CompletionStage<AsyncResultSet> answer : answers) {
      versions.add(version(answer));
    }
    return versions.size() == 1 && !versions.contains(null);
  }

  private static boolean mayAnswer(Node node) {
    return node.getState() == NodeState.UP || node.getState() == NodeState.UNKNOWN;
  }

  private static @Nullable UUID version(CompletionStage<AsyncResultSet> answer) {
    try {
      Row row = answer.toCompletableFuture().join().one();
      return row == null ? null : row.getUuid(0);
    } catch (CompletionException e) {
      if (e.getCause() instanceof DriverException) {
        return null; // asked again
      }
      throw e;
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException("the wait was interrupted", "cassandra", "", e);
    }
  }
}
