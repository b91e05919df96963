package org.calando.store.cassandra.internal;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import org.calando.http.Credentials;
import org.calando.store.cassandra.Endpoint;
import org.calando.store.cassandra.TokenMover.End;
import org.calando.store.cassandra.TokenMover.Ended;
import org.jspecify.annotations.Nullable;

/** Orders that take a node minutes or hours, over its JMX. Stateless. */
public final class JmxOrder {
  private JmxOrder() {}

  /** See {@link org.calando.store.cassandra.TokenMover#move}. */
  public static CompletionStage<Ended> move(
      Endpoint endpoint, Optional<Credentials> credentials, BigInteger token) {
    return ended(
        JmxCall.begin(
            endpoint,
            credentials,
            node -> {
              node.move(token);
              return true;
            }));
  }

  /** See {@link org.calando.store.cassandra.TokenMover#cleanup}. */
  public static CompletionStage<Ended> cleanup(
      Endpoint endpoint, Optional<Credentials> credentials, List<String> keyspaces) {
    return ended(
        JmxCall.begin(
            endpoint,
            credentials,
            node -> {
              for (String keyspace : keyspaces) {
                node.cleanup(keyspace);
              }
              return true;
            }));
  }

  private static CompletionStage<Ended> ended(CompletableFuture<Boolean> call) {
    return call.handle((done, error) -> ended(error));
  }

  /** What the node itself throws comes wrapped in errors of JMX; broken ways throw others. */
  private static Ended ended(@Nullable Throwable error) {
    if (error == null) {
      return new Ended(End.DONE, "");
    }
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    boolean ofTheNode =
        cause instanceof JMException
            || cause instanceof JMRuntimeException
            || cause instanceof UnsupportedOperationException;
    return new Ended(ofTheNode ? End.REFUSED : End.UNKNOWN, Refusals.brief(cause));
  }
}
