package org.calando.agent.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;

/**
 * Calls that may hang: each on a thread of its own, and one at a time, so that there is no more
 * than one such thread. No thread waits for it: those that answer renew leases too. Thread safe.
 */
final class OneAtATime<T> {
  /** How long its callers wait: less than what a connection may take for an answer. */
  static final Duration PATIENCE = Duration.ofSeconds(6);

  /** Callers that wait for one call. */
  static final int MOST_WAITING = 4;

  private final String what;
  private final Duration patience;
  private final Executor calls;

  /** Those who wait for the call that is under way; guarded by this. */
  private final List<CompletableFuture<T>> waiting = new ArrayList<>();

  /** Whether a call is under way; guarded by this. */
  private boolean busy;

  /**
   * Nothing is called yet.
   *
   * @param what is called, for messages
   * @param patience how long callers wait
   */
  OneAtATime(String what, Duration patience) {
    this(what, patience, OneAtATime::startThread);
  }

  /** The same, where something else begins calls. */
  OneAtATime(String what, Duration patience, Executor calls) {
    this.what = what;
    this.patience = patience;
    this.calls = calls;
  }

  /** Begins a call on a thread of its own. */
  static void startThread(Runnable call) {
    var unused = DaemonThread.start("calando-call", call);
  }

  /**
   * Calls; empty if a call is under way.
   *
   * @param late the answer if the call takes longer than callers wait
   * @param unheard takes why it failed, where nobody waits for it any more
   */
  synchronized Optional<CompletionStage<T>> begin(
      Callable<T> next, Supplier<T> late, Consumer<CalandoException> unheard) {
    return busy ? Optional.empty() : Optional.of(start(next, late, unheard));
  }

  /** Calls, or joins the call that is under way; empty if too many wait for that. */
  synchronized Optional<CompletionStage<T>> join(Callable<T> next, Supplier<T> late) {
    if (!busy) {
      return Optional.of(start(next, late, failure -> {}));
    }
    return waiting.size() < MOST_WAITING ? underWay(late) : Optional.empty();
  }

  /** The answer of the call that is under way, or {@code late}; empty if none is. */
  synchronized Optional<CompletionStage<T>> underWay(Supplier<T> late) {
    return busy ? Optional.of(answer(late)) : Optional.empty();
  }

  private synchronized CompletionStage<T> start(
      Callable<T> next, Supplier<T> late, Consumer<CalandoException> unheard) {
    busy = true;
    CompletionStage<T> answer = answer(late);
    calls.execute(() -> call(next, unheard));
    return answer;
  }

  private void call(Callable<T> next, Consumer<CalandoException> unheard) {
    try {
      T answer = next.call();
      boolean unused = tell(waits -> waits.complete(answer));
    } catch (Exception | Error e) {
      CalandoException failure =
          e instanceof CalandoException known
              ? known
              : new FailedWorkException(String.valueOf(e), what, "see the agent's log", e);
      if (!tell(waits -> waits.completeExceptionally(failure))) {
        unheard.accept(failure);
      }
    }
  }

  /** Ends the call; whether anybody still waited for it. */
  private boolean tell(Predicate<CompletableFuture<T>> each) {
    List<CompletableFuture<T>> all;
    synchronized (this) {
      all = List.copyOf(waiting);
      waiting.clear();
      busy = false;
    }
    return all.stream().filter(each).count() > 0;
  }

  /** The answer of the call that is under way, or {@code late}. */
  private synchronized CompletionStage<T> answer(Supplier<T> late) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    waiting.add(answer);
    return answer
        .orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS)
        .whenComplete((value, error) -> leave(answer))
        .exceptionally(
            error -> {
              Throwable cause = error instanceof CompletionException ? error.getCause() : error;
              if (cause instanceof TimeoutException) {
                return late.get();
              }
              throw new CompletionException(cause);
            });
  }

  private synchronized void leave(CompletableFuture<T> answer) {
    waiting.removeIf(one -> one == answer);
  }
}
