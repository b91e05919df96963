package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.calando.core.FailedWorkException;

/** Sends our own requests. Stateless. */
public final class Requests {
  private Requests() {}

  /**
   * Waits for an answer; whoever interrupts it gives the request up.
   *
   * @throws RuntimeException of the request, or a {@link FailedWorkException} after an interrupt
   */
  static <T> T answer(CompletionStage<T> request) {
    CompletableFuture<T> answer = request.toCompletableFuture();
    try {
      return answer.get();
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new FailedWorkException("interrupted", "session", "try again");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getCause());
    }
  }

  /** Sends a request; what the driver throws at once, as a closed session does, fails the stage. */
  public static CompletionStage<AsyncResultSet> send(CqlSession session, Statement<?> statement) {
    try {
      return session.executeAsync(statement);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
