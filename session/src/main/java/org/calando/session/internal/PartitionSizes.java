package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.calando.session.TableName;

/**
 * The mean size of tables' partitions, from any node's system.size_estimates, which each node
 * renews every five minutes. Thread safe.
 */
final class PartitionSizes {
  private static final long PERIOD_NANOS = 60_000_000_000L;

  private final CqlSession session;
  private final Set<TableName> tables;
  private final Duration deadline;
  private final CostMeter cost;
  private final Map<TableName, Double> meanBytes = new ConcurrentHashMap<>();
  private boolean asked;
  private long askedNanos;

  PartitionSizes(CqlSession session, Set<TableName> tables, Duration deadline, CostMeter cost) {
    this.session = session;
    this.tables = tables;
    this.deadline = deadline;
    this.cost = cost;
  }

  /** Asks once a minute. */
  synchronized void askIfDue(long now) {
    long since = now - askedNanos;
    if (asked && since >= 0 && since < PERIOD_NANOS) {
      return;
    }
    asked = true;
    askedNanos = now;
    for (TableName table : tables) {
      cost.request();
      // Without an answer the last figure stays: a size hardly changes.
      var unused =
          Requests.send(
                  session,
                  SimpleStatement.newInstance(
                          "SELECT mean_partition_size, partitions_count FROM system.size_estimates"
                              + " WHERE keyspace_name = ? AND table_name = ?",
                          table.keyspace(),
                          table.table())
                      .setConsistencyLevel(DefaultConsistencyLevel.ONE)
                      .setTimeout(deadline))
              .thenAccept(answer -> cost.run(() -> take(table, answer)));
    }
  }

  /** Mean bytes, NaN if unknown. */
  double meanBytes(TableName table) {
    return meanBytes.getOrDefault(table, Double.NaN);
  }

  // Later pages hold further ranges of the same table: the first is sample enough.
  private void take(TableName table, AsyncResultSet answer) {
    double bytes = 0;
    double partitions = 0;
    for (Row row : answer.currentPage()) {
      bytes += (double) row.getLong(0) * row.getLong(1);
      partitions += row.getLong(1);
    }
    if (partitions > 0) {
      meanBytes.put(table, bytes / partitions);
    }
  }
}
