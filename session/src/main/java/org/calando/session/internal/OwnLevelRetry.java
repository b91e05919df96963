package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * A node that dies is still asked until the others notice, and a read at a level that needs it gets no
 * answer in the whole of the application's time. So a read at a level that asks more replicas than the
 * application's own has half of the time. The retry has the whole of it, as the application would have:
 * such a read may take one and a half times as long. Whoever was cut short is retried in any case.
 */
/**
 * Sends a read at a level that was chosen for it, and where that gets no answer once more as the
 * application asked for it, so that a chosen level fails no read that would have been answered
 * without. Immutable.
 *
 * @param sent the read, with the chosen level
 * @param asksMore whether that level asks more replicas than the application's own
 * @param asAsked the read to send instead, given whether it was cut short; empty if it may not be
 *     retried
 */
public record OwnLevelRetry(
    CqlSession session,
    Statement<?> sent,
    boolean asksMore,
    Function<Boolean, Optional<Statement<?>>> asAsked) {

  /** Sends it and waits for the answer. */
  public @Nullable ResultSet execute() {
    try {
      return session.execute(first(), Statement.SYNC);
    } catch (DriverException e) {
      Optional<Statement<?>> again = again(e);
      if (again.isEmpty()) {
        throw e;
      }
      return session.execute(again.get(), Statement.SYNC);
    }
  }

  /** Sends it; the answer comes later. */
  public CompletionStage<AsyncResultSet> executeAsync() {
    return Requests.send(session, first())
        .handle(
            (answer, error) -> {
              Optional<Statement<?>> again = error == null ? Optional.empty() : again(error);
              if (again.isPresent()) {
                return Requests.send(session, again.get());
              }
              return error == null
                  ? CompletableFuture.completedFuture(answer)
                  : CompletableFuture.<AsyncResultSet>failedFuture(error);
            })
        .thenCompose(stage -> stage);
  }

  private Statement<?> first() {
    return asksMore ? sent.setTimeout(halfTime()) : sent;
  }

  private Optional<Statement<?>> again(Throwable error) {
    if (asksMore && Failures.isTimeout(error)) {
      return asAsked.apply(true);
    }
    boolean ofTheLevel =
        Failures.lacksReplicas(error) || (asksMore && Failures.isConnectionLost(error));
    return ofTheLevel ? asAsked.apply(false) : Optional.empty();
  }

  /** Zero, which is without a limit, stays zero. */
  private Duration halfTime() {
    Duration own = sent.getTimeout();
    Duration whole =
        own == null
            ? session
                .getContext()
                .getConfig()
                .getDefaultProfile()
                .getDuration(DefaultDriverOption.REQUEST_TIMEOUT)
            : own;
    return whole.dividedBy(2);
  }
}
