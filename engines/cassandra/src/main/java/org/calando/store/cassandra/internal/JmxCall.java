package org.calando.store.cassandra.internal;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;
import org.calando.http.Credentials;
import org.calando.store.cassandra.Endpoint;

/** One call of a node's JMX, on a daemon thread, for RMI has no time limit of its own. */
public final class JmxCall {
  /** How the message begins of one that is not answered; why follows in brackets. */
  public static final String SILENT = "JMX does not answer";

  private static final long SECONDS = 20;

  /** What is asked. */
  @FunctionalInterface
  public interface Call<T> {
    T run(JmxNode node) throws Exception;
  }

  private JmxCall() {}

  /**
   * Calls; blocks for 20 s at most.
   *
   * @throws FailedWorkException if it is not answered by then, or refused
   */
  public static <T> T within(Endpoint endpoint, Optional<Credentials> credentials, Call<T> call) {
    return within(SECONDS, endpoint, credentials, call);
  }

  /** The same for so many seconds at most. */
  public static <T> T within(
      long seconds, Endpoint endpoint, Optional<Credentials> credentials, Call<T> call) {
    CompletableFuture<T> answer = begin(endpoint, credentials, call);
    String why;
    try {
      return answer.get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      why = "no answer in time";
    } catch (ExecutionException e) {
      why = Refusals.brief(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException("the wait was interrupted", "cassandra", "", e);
    }
    throw new FailedWorkException(
        SILENT + " (" + why + ")",
        "JMX " + endpoint,
        "start the node; or correct its JMX endpoint, user or password; or leave the endpoints"
            + " out");
  }

  /** Calls, and returns at once; ends with the call's error if it has one, whenever that is. */
  public static <T> CompletableFuture<T> begin(
      Endpoint endpoint, Optional<Credentials> credentials, Call<T> call) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    JmxNode node = new JmxNode(endpoint, credentials);
    var unused =
        DaemonThread.start(
            "calando-jmx-" + endpoint,
            () -> {
              try {
                answer.complete(call.run(node));
              } catch (Exception | Error e) {
                answer.completeExceptionally(e);
              } finally {
                node.close();
              }
            });
    return answer;
  }
}
