package org.calando.store.cassandra.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.DefaultWriteType;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.calando.core.store.Outcome;
import org.junit.jupiter.api.Test;

class OutcomesTest {
  // The exceptions only carry it along.
  private static final Node NODE =
      (Node)
          Proxy.newProxyInstance(
              Node.class.getClassLoader(),
              new Class<?>[] {Node.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "hashCode" -> 0;
                    case "equals" -> arguments[0] == proxy;
                    default -> "node";
                  });
  private static final DefaultConsistencyLevel ONE = DefaultConsistencyLevel.ONE;

  @Test
  void refusalsLeaveNoEffect() {
    for (Throwable error :
        List.of(
            new UnavailableException(NODE, ONE, 3, 2),
            new OverloadedException(NODE),
            new BusyConnectionException(1024),
            new NoNodeAvailableException())) {
      assertThat(Outcomes.ofWrite(error)).as("write: %s", error).isEqualTo(Outcome.REFUSED);
      assertThat(Outcomes.ofRead(error)).as("read: %s", error).isEqualTo(Outcome.REFUSED);
    }
  }

  @Test
  void noAnswerIsIndeterminate() {
    for (Throwable error :
        List.of(
            new DriverTimeoutException("timed out"),
            new ClosedConnectionException("lost"),
            new HeartbeatException(new InetSocketAddress(0), "lost", null))) {
      assertThat(Outcomes.ofWrite(error)).as("write: %s", error).isEqualTo(Outcome.INDETERMINATE);
      assertThat(Outcomes.ofRead(error)).as("read: %s", error).isEqualTo(Outcome.INDETERMINATE);
    }
    assertThat(
            Outcomes.ofWrite(new WriteTimeoutException(NODE, ONE, 0, 1, DefaultWriteType.SIMPLE)))
        .isEqualTo(Outcome.INDETERMINATE);
    assertThat(Outcomes.ofRead(new ReadTimeoutException(NODE, ONE, 0, 1, false)))
        .isEqualTo(Outcome.INDETERMINATE);
  }

  @Test
  void aWriteThatFailedOnOneReplicaMayHaveReachedAnother() {
    Throwable failure =
        new WriteFailureException(NODE, ONE, 0, 1, DefaultWriteType.SIMPLE, 1, Map.of());
    assertThat(Outcomes.ofWrite(failure)).isEqualTo(Outcome.INDETERMINATE);
    assertThat(Outcomes.ofWrite(new ServerError(NODE, "bug"))).isEqualTo(Outcome.INDETERMINATE);
    assertThat(Outcomes.ofWrite(new IllegalStateException("unknown")))
        .isEqualTo(Outcome.INDETERMINATE);
  }

  @Test
  void aReadThatFailedLeavesNoEffect() {
    Throwable failure = new ReadFailureException(NODE, ONE, 0, 1, 1, false, Map.of());
    assertThat(Outcomes.ofRead(failure)).isEqualTo(Outcome.FAILED);
    assertThat(Outcomes.ofRead(new ServerError(NODE, "bug"))).isEqualTo(Outcome.FAILED);
  }

  @Test
  void anInvalidRequestFailed() {
    Throwable invalid = new InvalidQueryException(NODE, "unconfigured table");
    assertThat(Outcomes.ofWrite(invalid)).isEqualTo(Outcome.FAILED);
    assertThat(Outcomes.ofRead(invalid)).isEqualTo(Outcome.FAILED);
  }

  @Test
  void aWriteIsRefusedOnlyIfItReachedNoNode() {
    assertThat(Outcomes.ofWrite(allFailed(new BusyConnectionException(1))))
        .isEqualTo(Outcome.REFUSED);
    assertThat(Outcomes.ofWrite(allFailed(new ClosedConnectionException("lost"))))
        .isEqualTo(Outcome.INDETERMINATE);
  }

  @Test
  void theCauseOfACompletionCounts() {
    Throwable wrapped = new CompletionException(new UnavailableException(NODE, ONE, 3, 2));
    assertThat(Outcomes.ofWrite(wrapped)).isEqualTo(Outcome.REFUSED);
  }

  private static AllNodesFailedException allFailed(Throwable error) {
    return AllNodesFailedException.fromErrors(List.of(Map.entry(NODE, error)));
  }
}
