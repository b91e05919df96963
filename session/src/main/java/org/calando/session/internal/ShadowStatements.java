package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.TableName;
import org.calando.session.internal.StatementTables.Found;
import org.jspecify.annotations.Nullable;

/** Makes the application's reads of one table once more, for write times only. Thread safe. */
final class ShadowStatements {
  private static final int MOST_QUERIES = 64;
  private static final int ROWS = 100;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final CqlSession session;
  private final TableName table;
  private final CostMeter cost;
  private final Map<String, CompletionStage<PreparedStatement>> prepared =
      new ConcurrentHashMap<>();

  ShadowStatements(CqlSession session, TableName table, CostMeter cost) {
    this.session = session;
    this.table = table;
    this.cost = cost;
  }

  /**
   * What asks for the write times. Made for each sample, which is rare: the table may have been
   * changed.
   */
  Optional<ShadowQuery> query(Found found) {
    return session
        .getMetadata()
        .getKeyspace(CqlIdentifier.fromInternal(table.keyspace()))
        .flatMap(each -> each.getTable(CqlIdentifier.fromInternal(table.table())))
        .flatMap(each -> ShadowQuery.of(found.parsed(), each));
  }

  /** The read with other columns; fails if it cannot be prepared or its values do not fit. */
  CompletionStage<? extends Statement<?>> of(Statement<?> read, ShadowQuery query) {
    try {
      return read instanceof SimpleStatement simple
          ? CompletableFuture.completedFuture(
              withValues(SimpleStatement.newInstance(query.text()), simple)
                  .setRoutingKey(simple.getRoutingKey())
                  .setRoutingKeyspace(simple.getRoutingKeyspace()))
          : prepared(query.text()).thenApply(each -> copied((BoundStatement) read, each));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletionStage<PreparedStatement> prepared(String text) {
    @Nullable CompletionStage<PreparedStatement> ready = prepared.get(text);
    if (ready != null) {
      return ready;
    }
    if (prepared.size() >= MOST_QUERIES) {
      return CompletableFuture.failedFuture(new IllegalStateException("too many queries"));
    }
    cost.request();
    CompletionStage<PreparedStatement> made = session.prepareAsync(text);
    prepared.put(text, made);
    var unused =
        made.whenComplete(
            (statement, error) -> {
              if (error != null) {
                prepared.remove(text);
              }
            });
    return made;
  }

  private static SimpleStatement withValues(SimpleStatement to, SimpleStatement from) {
    return from.getNamedValues().isEmpty()
        ? to.setPositionalValues(from.getPositionalValues())
        : to.setNamedValuesWithIds(from.getNamedValues());
  }

  /** Fails if the read binds values elsewhere than in its conditions. */
  private static BoundStatement copied(BoundStatement from, PreparedStatement to) {
    if (to.getVariableDefinitions().size() != from.size()) {
      throw new IllegalArgumentException("values in what is asked for");
    }
    BoundStatement copy = to.bind();
    for (int i = 0; i < from.size(); i++) {
      @Nullable ByteBuffer value = from.isSet(i) ? from.getBytesUnsafe(i) : null;
      copy = from.isSet(i) ? copy.setBytesUnsafe(i, value) : copy;
    }
    return copy;
  }

  /** Sends it; the stage fails if it has more than a page, too. */
  CompletionStage<ShadowAnswer> send(
      Statement<?> shadow, ConsistencyLevel level, ShadowQuery query) {
    cost.request();
    return Requests.send(
            session,
            shadow
                .setConsistencyLevel(DriverLevels.of(level))
                .setIdempotent(false)
                .setPageSize(ROWS)
                .setTimeout(TIMEOUT))
        .thenApply(answer -> new ShadowAnswer(answer, query));
  }
}
