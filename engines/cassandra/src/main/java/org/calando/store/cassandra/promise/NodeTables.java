package org.calando.store.cassandra.promise;

import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.calando.session.TableName;

/**
 * What a node has counted of each table since it started, by one question. Immutable.
 *
 * @param life names the connection to the node: the counts of another may have begun anew
 * @param atNanos when it was asked
 * @param reads as a coordinator
 * @param writes as a coordinator
 * @param applied writes as a replica
 */
record NodeTables(
    long life,
    long atNanos,
    Map<TableName, Latency> reads,
    Map<TableName, Latency> writes,
    Map<TableName, Latency> applied) {
  /**
   * Of a table.
   *
   * @param count requests
   * @param p99Seconds below which 99 % of the last minutes' are
   */
  record Latency(long count, double p99Seconds) {}

  /** Which of the three. */
  @FunctionalInterface
  interface Kind {
    /** Gets it. */
    Map<TableName, Latency> of(NodeTables node);
  }

  /** What was between two questions to the same nodes. */
  record Period(Map<UUID, NodeTables> before, Map<UUID, NodeTables> now) {
    /** Whether all that nodes counted is known: each that answers now did so before as well. */
    boolean isWhole() {
      return !now.isEmpty()
          && now.entrySet().stream()
              .allMatch(
                  each -> {
                    NodeTables then = before.get(each.getKey());
                    return then != null && then.life == each.getValue().life;
                  });
    }

    /** Takes each table of which a node counted something, with the node's count and latency. */
    void each(Kind kind, BiConsumer<TableName, Latency> then) {
      now.forEach(
          (id, node) -> {
            NodeTables earlier = before.get(id);
            if (earlier != null) {
              Map<TableName, Latency> was = kind.of(earlier);
              kind.of(node)
                  .forEach(
                      (table, latency) -> {
                        long count =
                            latency.count() - was.getOrDefault(table, new Latency(0, 0)).count();
                        if (count > 0) {
                          then.accept(table, new Latency(count, latency.p99Seconds()));
                        }
                      });
            }
          });
    }

    /** The longest time between the two questions to one node, in seconds; 0 without nodes. */
    double seconds() {
      return now.entrySet().stream()
          .filter(each -> before.containsKey(each.getKey()))
          .mapToDouble(
              each ->
                  (each.getValue().atNanos
                          - Objects.requireNonNull(before.get(each.getKey())).atNanos)
                      / 1e9)
          .max()
          .orElse(0);
    }
  }
}
