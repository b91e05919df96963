package org.calando.store.cassandra.internal.ring;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.calando.core.BadRequestException;
import org.calando.store.cassandra.internal.Refusals;

/**
 * Asks every node the same question, at once, each as the coordinator of its own answer.
 *
 * @param rows the answers of nodes that gave one
 * @param silent why the others did not
 */
record NodeRows(Map<Node, List<Row>> rows, Map<Node, String> silent) {
  /** A question; its answer has at most a few thousand rows. */
  static SimpleStatement question(String text) {
    return SimpleStatement.newInstance(text).setTimeout(Duration.ofSeconds(10)).setPageSize(50_000);
  }

  /**
   * Asks; blocks.
   *
   * @throws BadRequestException if a node knows no such table, or the user may not read it
   */
  static NodeRows ask(CqlSession session, SimpleStatement question) {
    Collection<Node> nodes = session.getMetadata().getNodes().values();
    Map<Node, CompletionStage<AsyncResultSet>> answers = new LinkedHashMap<>();
    nodes.forEach(node -> answers.put(node, session.executeAsync(question.setNode(node))));
    Map<Node, List<Row>> rows = new LinkedHashMap<>();
    Map<Node, String> silent = new LinkedHashMap<>();
    answers.forEach(
        (node, answer) -> {
          try {
            List<Row> all = new ArrayList<>();
            answer.toCompletableFuture().join().currentPage().forEach(all::add);
            rows.put(node, all);
          } catch (CompletionException e) {
            silent.put(node, reason(node, e));
          }
        });
    return new NodeRows(rows, silent);
  }

  private static String reason(Node node, CompletionException e) {
    Throwable cause = e.getCause();
    if (cause instanceof InvalidQueryException) {
      throw new BadRequestException(
          "it does not report what is needed (" + cause.getMessage() + ")",
          "node " + node.getEndPoint(),
          "use Cassandra 4.1 or later; for older ones ./calando layout move --dry-run --tokens");
    }
    if (cause instanceof UnauthorizedException) {
      throw new BadRequestException(
          "the user may not see the ring (" + cause.getMessage() + ")",
          "keyspace system_views",
          "GRANT SELECT ON KEYSPACE system_views to it");
    }
    if (cause instanceof DriverException) {
      return Refusals.brief(cause);
    }
    throw e;
  }
}
