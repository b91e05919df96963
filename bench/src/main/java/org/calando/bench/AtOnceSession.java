package org.calando.bench;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metrics.Metrics;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import com.datastax.oss.driver.internal.core.cql.EmptyColumnDefinitions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A session of the driver that answers the benchmark's own statements at once, with nothing, and
 * sends all others. So what is measured is what stands before it.
 */
final class AtOnceSession implements CqlSession {
  private final CqlSession driver;
  private volatile Set<PreparedStatement> atOnce = Set.of();

  AtOnceSession(CqlSession driver) {
    this.driver = driver;
  }

  /** Answers all that was bound from these at once. */
  void answerAtOnce(Set<PreparedStatement> statements) {
    atOnce = Set.copyOf(statements);
  }

  @Override
  public <RequestT extends Request, ResultT> @Nullable ResultT execute(
      RequestT request, GenericType<ResultT> resultType) {
    if (request instanceof BoundStatement bound && atOnce.contains(bound.getPreparedStatement())) {
      return nothing(resultType);
    }
    return driver.execute(request, resultType);
  }

  // What came is of no matter; whoever sends asynchronously waits for something.
  @SuppressWarnings("unchecked") // of the type that was asked for
  private static <ResultT> @Nullable ResultT nothing(GenericType<ResultT> resultType) {
    return resultType.equals(Statement.ASYNC)
        ? (ResultT) CompletableFuture.completedFuture(new Nothing())
        : null;
  }

  /** An answer without rows. */
  private static final class Nothing implements AsyncResultSet {
    @Override
    public ColumnDefinitions getColumnDefinitions() {
      return EmptyColumnDefinitions.INSTANCE;
    }

    @Override
    public ExecutionInfo getExecutionInfo() {
      throw new IllegalStateException("nothing was executed");
    }

    @Override
    public int remaining() {
      return 0;
    }

    @Override
    public Iterable<Row> currentPage() {
      return List.of();
    }

    @Override
    public boolean hasMorePages() {
      return false;
    }

    @Override
    public CompletionStage<AsyncResultSet> fetchNextPage() {
      throw new IllegalStateException("there is none");
    }

    @Override
    public boolean wasApplied() {
      return true;
    }
  }

  @Override
  public String getName() {
    return driver.getName();
  }

  @Override
  public Metadata getMetadata() {
    return driver.getMetadata();
  }

  @Override
  public boolean isSchemaMetadataEnabled() {
    return driver.isSchemaMetadataEnabled();
  }

  @Override
  public CompletionStage<Metadata> setSchemaMetadataEnabled(@Nullable Boolean newValue) {
    return driver.setSchemaMetadataEnabled(newValue);
  }

  @Override
  public CompletionStage<Metadata> refreshSchemaAsync() {
    return driver.refreshSchemaAsync();
  }

  @Override
  public CompletionStage<Boolean> checkSchemaAgreementAsync() {
    return driver.checkSchemaAgreementAsync();
  }

  @Override
  public DriverContext getContext() {
    return driver.getContext();
  }

  @Override
  public Optional<CqlIdentifier> getKeyspace() {
    return driver.getKeyspace();
  }

  @Override
  public Optional<Metrics> getMetrics() {
    return driver.getMetrics();
  }

  @Override
  public CompletionStage<Void> closeFuture() {
    return driver.closeFuture();
  }

  @Override
  public CompletionStage<Void> closeAsync() {
    return driver.closeAsync();
  }

  @Override
  public CompletionStage<Void> forceCloseAsync() {
    return driver.forceCloseAsync();
  }
}
