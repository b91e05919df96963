package org.calando.agent.server;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;
import org.jspecify.annotations.Nullable;

/**
 * Calls that may hang: each on a thread of its own, as those that answer renew leases too, and one
 * at a time, so that there is no more than one such thread. Thread safe.
 */
final class OneAtATime<T> {
  /** Less than what a connection may take for an answer. */
  private static final long PATIENCE_SECONDS = 6;

  private final String what;

  /** Guarded by this. */
  private @Nullable CompletableFuture<T> last;

  /**
   * Nothing is called yet.
   *
   * @param what is called, for messages
   */
  OneAtATime(String what) {
    this.what = what;
  }

  /** Calls; empty if a call is under way. */
  synchronized Optional<CompletableFuture<T>> begin(Callable<T> next) {
    return underWay().isPresent() ? Optional.empty() : Optional.of(start(next));
  }

  /** Calls, or joins the call that is under way. */
  synchronized CompletableFuture<T> join(Callable<T> next) {
    return underWay().orElseGet(() -> start(next));
  }

  private synchronized Optional<CompletableFuture<T>> underWay() {
    return Optional.ofNullable(last).filter(call -> !call.isDone());
  }

  private synchronized CompletableFuture<T> start(Callable<T> next) {
    CompletableFuture<T> begun = new CompletableFuture<>();
    last = begun;
    var unused =
        DaemonThread.start(
            "calando-call",
            () -> {
              try {
                begun.complete(next.call());
              } catch (Exception | Error e) {
                begun.completeExceptionally(e);
              }
            });
    return begun;
  }

  /**
   * Waits some seconds for a call.
   *
   * @param late the answer while it has not ended
   * @throws CalandoException its own, or one that says why it failed
   */
  T await(CompletableFuture<T> begun, Supplier<T> late) {
    try {
      return begun.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return late.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof CalandoException known
          ? known
          : new FailedWorkException(String.valueOf(e.getCause()), what, "see the agent's log", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException("the agent ends", what, "ask again", e);
    }
  }
}
