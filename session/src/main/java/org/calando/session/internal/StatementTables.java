package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.calando.session.TableName;
import org.calando.session.internal.CqlText.Kind;
import org.calando.session.internal.CqlText.Parsed;
import org.jspecify.annotations.Nullable;

/*
 * What was found out about a statement is kept in a table of fixed size: a statement has one place,
 * and takes it from whichever was there. No lock, no order of use, and an application that puts
 * values into its query strings costs a parse each and no memory.
 */
/** Finds the watched table of a statement. Thread safe. */
final class StatementTables {
  private static final int PREPARED_PLACES = 4096;
  private static final int QUERY_PLACES = 1024;
  private static final int LONGEST_KEPT = 4096;

  private final Map<TableName, WatchedTable> watched;
  private final Supplier<Optional<CqlIdentifier>> sessionKeyspace;
  private final AtomicReferenceArray<@Nullable PreparedPlace> prepared =
      new AtomicReferenceArray<>(PREPARED_PLACES);
  private final AtomicReferenceArray<@Nullable QueryPlace> queries =
      new AtomicReferenceArray<>(QUERY_PLACES);

  /**
   * What is known of a statement.
   *
   * @param kind READ and WRITE only with a table
   * @param table the watched table, null for OTHER
   * @param partitionKey places of the partition key among the variables; may be empty
   * @param parsed its text; of a READ it reads one partition
   */
  record Found(
      Kind kind, @Nullable WatchedTable table, List<Integer> partitionKey, Parsed parsed) {}

  static final Found OTHER = new Found(Kind.OTHER, null, List.of(), new Parsed(Kind.OTHER, "", ""));

  private record PreparedPlace(PreparedStatement statement, Found found) {}

  private record QueryPlace(String query, Parsed parsed) {}

  StatementTables(
      Map<TableName, WatchedTable> watched, Supplier<Optional<CqlIdentifier>> sessionKeyspace) {
    this.watched = watched;
    this.sessionKeyspace = sessionKeyspace;
  }

  Found find(BoundStatement statement) {
    PreparedStatement of = statement.getPreparedStatement();
    int hash = System.identityHashCode(of);
    int place = (hash ^ (hash >>> 12)) & (PREPARED_PLACES - 1);
    PreparedPlace known = prepared.get(place);
    if (known != null && known.statement == of) {
      return known.found;
    }
    Found found = examine(of);
    prepared.set(place, new PreparedPlace(of, found));
    return found;
  }

  private Found examine(PreparedStatement statement) {
    Parsed parsed = CqlText.parse(statement.getQuery());
    if (parsed.kind() == Kind.OTHER) {
      return OTHER;
    }
    // The server says of which table the columns are, whatever keyspace was in use then.
    ColumnDefinitions columns =
        statement.getVariableDefinitions().size() > 0
            ? statement.getVariableDefinitions()
            : statement.getResultSetDefinitions();
    if (columns.size() == 0) {
      return find(parsed, null, List.of());
    }
    ColumnDefinition column = columns.get(0);
    return found(
        parsed,
        new TableName(column.getKeyspace().asInternal(), column.getTable().asInternal()),
        statement.getPartitionKeyIndices());
  }

  Found find(SimpleStatement statement) {
    return find(parsed(statement.getQuery()), statement.getKeyspace(), List.of());
  }

  private Parsed parsed(String query) {
    int hash = query.hashCode();
    int place = (hash ^ (hash >>> 16)) & (QUERY_PLACES - 1);
    QueryPlace known = queries.get(place);
    if (known != null && known.query.equals(query)) {
      return known.parsed;
    }
    Parsed parsed = CqlText.parse(query);
    if (query.length() <= LONGEST_KEPT) {
      queries.set(place, new QueryPlace(query, parsed));
    }
    return parsed;
  }

  private Found find(
      Parsed parsed, @Nullable CqlIdentifier statementKeyspace, List<Integer> partitionKey) {
    if (parsed.kind() == Kind.OTHER) {
      return OTHER;
    }
    String keyspace = parsed.keyspace();
    if (keyspace.isEmpty()) {
      CqlIdentifier inUse =
          statementKeyspace == null ? sessionKeyspace.get().orElse(null) : statementKeyspace;
      if (inUse == null) {
        return OTHER;
      }
      keyspace = inUse.asInternal();
    }
    return found(parsed, new TableName(keyspace, parsed.table()), partitionKey);
  }

  /** A SELECT that may read several partitions stays as it is asked: it meets many keys at once. */
  private Found found(Parsed parsed, TableName name, List<Integer> partitionKey) {
    WatchedTable table = watched.get(name);
    if (table == null
        || (parsed.kind() == Kind.READ && !parsed.equal().containsAll(table.partitionKey()))) {
      return OTHER;
    }
    return new Found(parsed.kind(), table, List.copyOf(partitionKey), parsed);
  }
}
