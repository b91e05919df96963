package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.calando.core.FailedWorkException;

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
   * @return why they have not at the deadline; empty if they have
   * @throws FailedWorkException if the wait is interrupted
   */
  static Optional<String> await(CqlSession session, Duration deadline) {
    long end = System.nanoTime() + deadline.toNanos();
    long pauseMillis = FIRST_PAUSE_MILLIS;
    Optional<String> obstacle = obstacle(session);
    while (obstacle.isPresent() && System.nanoTime() - end < 0) {
      Pause.ofMillis(pauseMillis);
      pauseMillis = Math.min(2 * pauseMillis, LAST_PAUSE_MILLIS);
      obstacle = obstacle(session);
    }
    return obstacle;
  }

  private static Optional<String> obstacle(CqlSession session) {
    Map<Node, CompletionStage<AsyncResultSet>> answers = new HashMap<>();
    session.getMetadata().getNodes().values().stream()
        .filter(SchemaAgreement::mayAnswer)
        .forEach(node -> answers.put(node, session.executeAsync(QUESTION.setNode(node))));
    Set<UUID> versions = new HashSet<>();
    for (Map.Entry<Node, CompletionStage<AsyncResultSet>> answer : answers.entrySet()) {
      try {
        version(answer.getValue()).ifPresent(versions::add);
      } catch (CompletionException e) {
        if (e.getCause() instanceof DriverException) {
          return Optional.of(
              "node %s does not report which schema it has: %s"
                  .formatted(answer.getKey().getEndPoint(), e.getCause().getMessage()));
        }
        throw e;
      }
    }
    return versions.size() == 1
        ? Optional.empty()
        : Optional.of("the nodes have %d versions of the schema".formatted(versions.size()));
  }

  private static boolean mayAnswer(Node node) {
    return node.getState() == NodeState.UP || node.getState() == NodeState.UNKNOWN;
  }

  private static Optional<UUID> version(CompletionStage<AsyncResultSet> answer) {
    Row row = answer.toCompletableFuture().join().one();
    return Optional.ofNullable(row == null ? null : row.getUuid(0));
  }
}
