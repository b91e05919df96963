package org.calando.session;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metrics.Metrics;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.calando.core.BadRequestException;
import org.calando.core.observe.LatencyCounts;
import org.calando.session.internal.Adaptation;
import org.calando.session.internal.OwnLevelRetry;
import org.calando.session.internal.Router;
import org.jspecify.annotations.Nullable;

/**
 * A session of the driver whose reads are as weak as the application tolerates, and no weaker.
 * Thread safe; takes the place of the session that it wraps.
 *
 * <p>Plain SELECTs of the tables named to the builder, prepared or not, synchronous, asynchronous
 * or reactive, get the level that was last decided for their table. Everything else goes on as it
 * came: writes, batches, conditional statements, counters, schema changes, tables not named, and
 * statements with a level or an execution profile of their own. So do SELECTs that may read more
 * than one partition. A read that gets no answer at a level that was chosen here, because too few
 * replicas are alive, because half of the request timeout is over at a level stronger than the
 * application's own, or because the connection is lost meanwhile, is sent as the application asked
 * for it as well ({@link LevelInUse#unavailable}), and so is each of its pages: the first answer
 * wins. Such a read may take one and a half times the timeout. Nothing else is retried here.
 *
 * <p>A daemon thread decides once a second, from what the nodes count ({@link Monitor}), what a
 * canary measures ({@link Canary}), which keys this session itself reads and writes, and a small
 * sample of its reads that is read again at a safe level. Before the first decision, when one
 * cannot be made or is too old, and after {@link #close} reads use the fallback: the weakest level
 * with R + W > N, but (LOCAL_)QUORUM at most unless {@link AdaptiveSessionBuilder#freshFirst} says
 * otherwise.
 *
 * <p>What one client alone cannot see: which keys other clients write; they are taken to be the
 * worst until the sample says better. And at which levels they write: declare the weakest ({@link
 * AdaptiveSessionBuilder#writeLevel}).
 */
public final class AdaptiveSession implements CqlSession {
  /** By name: the class needs Reactive Streams, which an application may leave out. */
  private static final String REACTIVE =
      "com.datastax.dse.driver.api.core.cql.reactive.ReactiveResultSet";

  private final CqlSession session;
  private final Adaptation adaptation;

  AdaptiveSession(CqlSession session, Adaptation adaptation) {
    this.session = session;
    this.adaptation = adaptation;
  }

  /**
   * A builder; every default stands at its method.
   *
   * @param session to wrap, open; closed with the adaptive one
   */
  public static AdaptiveSessionBuilder wrap(CqlSession session) {
    if (Objects.requireNonNull(session, "session") instanceof AdaptiveSession) {
      throw new BadRequestException(
          "is adaptive already", "session", "wrap the driver's own session, once");
    }
    return new AdaptiveSessionBuilder(session);
  }

  /**
   * The same statement, tolerating another share of stale reads than its table. A share above 0 has
   * no effect on statements that keep their level, and tables not named to the builder; to execute
   * one that tolerates 0 throws a {@link BadRequestException}, as it might be stale.
   *
   * @param tolerated 0 .. 1; a table tells some sixteen shares apart, and takes the next stricter
   *     one for others
   * @throws BadRequestException if it is not from 0 to 1
   */
  public static <T extends Statement<T>> T tolerating(T statement, double tolerated) {
    requireShare(tolerated);
    Map<String, ByteBuffer> payload = new HashMap<>(statement.getCustomPayload());
    payload.put(Router.TOLERATED, ByteBuffer.allocate(Double.BYTES).putDouble(0, tolerated));
    return statement.setCustomPayload(Map.copyOf(payload));
  }

  private static void requireShare(double tolerated) {
    AdaptiveSessionBuilder.requireShare(tolerated, "statement");
  }

  /**
   * What reads of a table use now.
   *
   * @return empty for a table that was not named to the builder
   */
  public Optional<LevelInUse> inUse(TableName table) {
    return adaptation.inUse(table);
  }

  /**
   * What reads of a table that tolerate a share of their own use now.
   *
   * @return empty for a table that was not named to the builder
   */
  public Optional<LevelInUse> inUse(TableName table, double tolerated) {
    requireShare(tolerated);
    return adaptation.inUse(table, tolerated);
  }

  /** What observing and deciding have cost; the wrapped requests are no part of it. */
  public Cost cost() {
    return adaptation.cost();
  }

  /** The session that is wrapped. */
  public CqlSession wrapped() {
    return session;
  }

  // Every other way to execute something is a default method that ends here.
  @Override
  public <RequestT extends Request, ResultT> @Nullable ResultT execute(
      RequestT request, GenericType<ResultT> resultType) {
    if (request instanceof Statement<?> statement) {
      LatencyCounts.@Nullable Recorder times = adaptation.readTimes(statement);
      return times == null ? routed(statement, resultType) : timed(statement, resultType, times);
    }
    return session.execute(request, resultType);
  }

  private <ResultT> @Nullable ResultT routed(
      Statement<?> statement, GenericType<ResultT> resultType) {
    Statement<?> routed = adaptation.route(statement);
    return routed == statement
        ? session.execute(routed, resultType)
        : execute(statement, routed, resultType);
  }

  /**
   * Reads that fail took as long as they did: without them a percentile is best where it is worst.
   * Of reactive reads nobody sees the end here.
   */
  private <ResultT> @Nullable ResultT timed(
      Statement<?> statement, GenericType<ResultT> resultType, LatencyCounts.Recorder times) {
    long begun = System.nanoTime();
    if (resultType.equals(Statement.SYNC)) {
      try {
        return routed(statement, resultType);
      } finally {
        times.add(System.nanoTime() - begun);
      }
    }
    @Nullable ResultT result = routed(statement, resultType);
    if (result instanceof CompletionStage<?> answer) {
      var unused = answer.whenComplete((page, error) -> times.add(System.nanoTime() - begun));
    }
    return result;
  }

  @SuppressWarnings("unchecked") // what is returned is of the type that was asked for
  private <ResultT> @Nullable ResultT execute(
      Statement<?> asked, Statement<?> routed, GenericType<ResultT> resultType) {
    OwnLevelRetry read = adaptation.retried(asked, routed);
    if (resultType.equals(Statement.SYNC)) {
      return (ResultT) read.execute();
    }
    if (resultType.equals(Statement.ASYNC)) {
      return (ResultT) read.executeAsync();
    }
    if (resultType.getRawType().getName().equals(REACTIVE)) {
      return (ResultT) read.executeReactive();
    }
    return session.execute((Request) routed, resultType);
  }

  @Override
  public String getName() {
    return session.getName();
  }

  @Override
  public Metadata getMetadata() {
    return session.getMetadata();
  }

  @Override
  public boolean isSchemaMetadataEnabled() {
    return session.isSchemaMetadataEnabled();
  }

  @Override
  public CompletionStage<Metadata> setSchemaMetadataEnabled(@Nullable Boolean newValue) {
    return session.setSchemaMetadataEnabled(newValue);
  }

  @Override
  public CompletionStage<Metadata> refreshSchemaAsync() {
    return session.refreshSchemaAsync();
  }

  @Override
  public CompletionStage<Boolean> checkSchemaAgreementAsync() {
    return session.checkSchemaAgreementAsync();
  }

  @Override
  public DriverContext getContext() {
    return session.getContext();
  }

  @Override
  public Optional<CqlIdentifier> getKeyspace() {
    return session.getKeyspace();
  }

  @Override
  public Optional<Metrics> getMetrics() {
    return session.getMetrics();
  }

  @Override
  public CompletionStage<Void> closeFuture() {
    return session.closeFuture();
  }

  @Override
  public CompletionStage<Void> closeAsync() {
    adaptation.close();
    return session.closeAsync();
  }

  @Override
  public CompletionStage<Void> forceCloseAsync() {
    adaptation.close();
    return session.forceCloseAsync();
  }
}
