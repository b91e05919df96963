package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends reads at a level that was chosen for them. Where replicas are missing for it, the read is
 * asked once more as the application asked for it, so that a chosen level fails no read that would
 * have been answered without. Stateless.
 */
public final class AskedOnceMore {
  private AskedOnceMore() {}

  /**
   * Sends a read and waits for the answer.
   *
   * @param asAsked the statement to ask once more; empty if the level is the application's own
   */
  public static @Nullable ResultSet execute(
      CqlSession session, Statement<?> sent, Supplier<Optional<Statement<?>>> asAsked) {
    try {
      return session.execute(sent, Statement.SYNC);
    } catch (DriverException e) {
      Optional<Statement<?>> again = Failures.lacksReplicas(e) ? asAsked.get() : Optional.empty();
      if (again.isEmpty()) {
        throw e;
      }
      return session.execute(again.get(), Statement.SYNC);
    }
  }

  /** Sends a read; the answer comes later. */
  public static CompletionStage<AsyncResultSet> executeAsync(
      CqlSession session, Statement<?> sent, Supplier<Optional<Statement<?>>> asAsked) {
    return Requests.send(session, sent)
        .handle(
            (answer, error) -> {
              Optional<Statement<?>> again =
                  error != null && Failures.lacksReplicas(error) ? asAsked.get() : Optional.empty();
              if (again.isPresent()) {
                return Requests.send(session, again.get());
              }
              return error == null
                  ? CompletableFuture.completedFuture(answer)
                  : CompletableFuture.<AsyncResultSet>failedFuture(error);
            })
        .thenCompose(stage -> stage);
  }
}
