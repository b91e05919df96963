package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Sends our own requests. Stateless. */
final class Requests {
  private Requests() {}

  /** Sends a request; what the driver throws at once, as a closed session does, fails the stage. */
  static CompletionStage<AsyncResultSet> send(CqlSession session, Statement<?> statement) {
    try {
      return session.executeAsync(statement);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
