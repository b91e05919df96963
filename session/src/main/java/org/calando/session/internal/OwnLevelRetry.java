package org.calando.session.internal;

import com.datastax.dse.driver.internal.core.cql.reactive.DefaultReactiveResultSet;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.internal.core.cql.ResultSets;
import com.datastax.oss.driver.internal.core.util.concurrent.BlockingOperation;
import com.datastax.oss.driver.internal.core.util.concurrent.CompletableFutures;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * A node that dies is still asked until the others notice, and a read at a level that needs it gets no
 * answer in the whole of the application's time. So when a read at a level that asks more replicas than
 * the application's own has no answer at half of its time, it is sent at that level as well, with the
 * whole time, as the application would have. The first answer wins, and the other request is cancelled.
 *
 * Every page is such a read. A paging state belongs to the query and its values, not to the level: a
 * page that came at the chosen level is followed by one at that level, which may be retried; one that
 * came at the own level by the driver's own, at that level.
 *
 * What the driver does around an asynchronous read for synchronous and reactive ones is done by its own
 * classes here, so that there is one mechanism; they are as they were since 4.4.
 */
/**
 * Sends a read at a level that was chosen for it, and where that gets no answer also as the
 * application asked for it, so that a chosen level fails no read that would have been answered
 * without. Immutable.
 *
 * @param sent the read, with the chosen level
 * @param asksMore whether that level asks more replicas than the application's own, and a read sent
 *     now may be retried
 * @param asAsked the read to send as well, given whether {@code asksMore} was true of it; empty if
 *     it may not be retried
 * @param timer makes what is completed by true after a time, and is completed before by others when
 *     it is not needed any more
 */
public record OwnLevelRetry(
    CqlSession session,
    Statement<?> sent,
    BooleanSupplier asksMore,
    Function<Boolean, Optional<Statement<?>>> asAsked,
    Function<Duration, CompletableFuture<Boolean>> timer) {

  /** The machine's timer: one thread for all. */
  public static CompletableFuture<Boolean> after(Duration time) {
    return new CompletableFuture<Boolean>()
        .completeOnTimeout(true, time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Sends it and waits for the answer. */
  public ResultSet execute() {
    BlockingOperation.checkNotDriverThread();
    return ResultSets.newInstance(CompletableFutures.getUninterruptibly(executeAsync()));
  }

  /** Sends it; the answer comes later. */
  public CompletionStage<AsyncResultSet> executeAsync() {
    return page(sent);
  }

  /**
   * Sends it when somebody subscribes. The type is that which is made: with another the class needs
   * Reactive Streams to be linked, which an application may leave out.
   */
  public DefaultReactiveResultSet executeReactive() {
    return new DefaultReactiveResultSet(this::executeAsync);
  }

  private CompletionStage<AsyncResultSet> page(Statement<?> chosen) {
    boolean more = asksMore.getAsBoolean();
    CompletableFuture<AsyncResultSet> answer = new CompletableFuture<>();
    CompletableFuture<AsyncResultSet> first =
        send(chosen, answer).thenApply(page -> page.hasMorePages() ? new Pages(page, this) : page);
    // True sends it at the own level; it is completed normally, as Java 17 keeps timeouts of
    // others.
    CompletableFuture<Boolean> due = due(more);
    CompletableFuture<AsyncResultSet> own =
        due.thenCompose(
            needed ->
                Optional.of(needed)
                    .filter(Boolean::booleanValue)
                    .flatMap(yes -> asAsked.apply(more))
                    .map(statement -> send(at(statement, chosen.getPagingState()), answer))
                    .orElse(first));
    var unused =
        first.whenComplete(
            (page, error) -> {
              if (error == null) {
                answer.complete(page);
              } else if (isOfTheLevel(error, more) || due.isDone()) {
                due.complete(true);
              } else {
                answer.completeExceptionally(unwrapped(error));
              }
            });
    var unused2 =
        own.whenComplete(
            (page, error) -> {
              if (error == null) {
                answer.complete(page);
              } else {
                var unused3 =
                    first.whenComplete(
                        (late, none) -> {
                          if (none == null) {
                            answer.complete(late);
                          } else {
                            answer.completeExceptionally(unwrapped(error));
                          }
                        });
              }
            });
    var unused4 = answer.whenComplete((page, error) -> due.complete(false));
    return answer;
  }

  /** Sends a request that nobody needs any more when there is an answer. */
  private CompletableFuture<AsyncResultSet> send(
      Statement<?> statement, CompletableFuture<AsyncResultSet> answer) {
    CompletableFuture<AsyncResultSet> request =
        Requests.send(session, statement).toCompletableFuture();
    var unused = answer.whenComplete((page, error) -> request.cancel(true));
    return request;
  }

  private static Statement<?> at(Statement<?> statement, @Nullable ByteBuffer pagingState) {
    return pagingState == null ? statement : statement.setPagingState(pagingState);
  }

  private static boolean isOfTheLevel(Throwable error, boolean more) {
    return Failures.lacksReplicas(error)
        || (more && (Failures.isTimeout(error) || Failures.isConnectionLost(error)));
  }

  private static Throwable unwrapped(Throwable error) {
    return error instanceof CompletionException && error.getCause() != null
        ? error.getCause()
        : error;
  }

  /** A timeout of zero is none: there is no half of it. */
  private CompletableFuture<Boolean> due(boolean more) {
    if (!more) {
      return new CompletableFuture<>();
    }
    Duration own = sent.getTimeout();
    Duration whole =
        own == null
            ? session
                .getContext()
                .getConfig()
                .getDefaultProfile()
                .getDuration(DefaultDriverOption.REQUEST_TIMEOUT)
            : own;
    return whole.isZero() ? new CompletableFuture<>() : timer.apply(whole.dividedBy(2));
  }

  /** A page that came at the chosen level, and what follows it. */
  private record Pages(AsyncResultSet page, OwnLevelRetry read) implements AsyncResultSet {
    @Override
    public CompletionStage<AsyncResultSet> fetchNextPage() {
      return hasMorePages()
          ? read.page(at(read.sent, getExecutionInfo().getPagingState()))
          : page.fetchNextPage();
    }

    @Override
    public ColumnDefinitions getColumnDefinitions() {
      return page.getColumnDefinitions();
    }

    @Override
    public ExecutionInfo getExecutionInfo() {
      return page.getExecutionInfo();
    }

    @Override
    public int remaining() {
      return page.remaining();
    }

    @Override
    public Iterable<Row> currentPage() {
      return page.currentPage();
    }

    @Override
    public boolean hasMorePages() {
      return page.hasMorePages();
    }

    @Override
    public boolean wasApplied() {
      return page.wasApplied();
    }
  }
}
