package org.calando.session.internal;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.calando.core.observe.TableRates.Count;
import org.calando.session.TableName;

/*
 * The *_ms columns of these virtual tables are a thousand times too small in Cassandra 5.0; only the
 * counts are asked for. The server works all rows out whichever it is asked for, so that one table
 * is asked for by name, to save the transfer, and several come with the whole of it, to save rounds.
 *
 * Writes are counted where they are applied: coordinators count a batch once, however many rows it
 * has, and a conditional write not at all.
 */
/** The statements that ask a node for its counts. Immutable and thread safe. */
final class CountQuestions {
  private static final int PAGE = 5000;

  private final Map<Count, SimpleStatement> statements = new EnumMap<>(Count.class);

  CountQuestions(Set<TableName> tables, Duration deadline) {
    for (Count kind : Count.values()) {
      String text =
          "SELECT keyspace_name, table_name, count FROM system_views." + virtualTable(kind);
      SimpleStatement statement =
          tables.size() == 1
              ? one(text, tables.iterator().next())
              : SimpleStatement.newInstance(text);
      statements.put(
          kind,
          statement
              .setPageSize(PAGE)
              .setConsistencyLevel(DefaultConsistencyLevel.ONE)
              .setIdempotent(false)
              .setTimeout(deadline));
    }
  }

  private static SimpleStatement one(String text, TableName table) {
    return SimpleStatement.newInstance(
        text + " WHERE keyspace_name = ? AND table_name = ?", table.keyspace(), table.table());
  }

  Map<Count, SimpleStatement> statements() {
    return statements;
  }

  private static String virtualTable(Count kind) {
    return switch (kind) {
      case READS -> "coordinator_read_latency";
      case SCANS -> "coordinator_scan_latency";
      case WRITES -> "local_write_latency";
    };
  }
}
