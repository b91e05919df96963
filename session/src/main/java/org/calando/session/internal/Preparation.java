package org.calando.session.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * Beside a node that died a moment ago a new table takes seconds, as its schema is waited for. Who begins
 * waits for a while, so that it hears of what is refused; then the work goes on behind it, and what fails
 * is told and tried again, as nobody is left to do it.
 */
/**
 * Work that something needs before it begins: waited for as long as its caller likes, and then done
 * behind it until it succeeds. Thread safe; the work runs on the timer.
 */
final class Preparation {
  private final ScheduledExecutorService timer;
  private final Duration pause;
  private final Runnable work;
  private final Consumer<String> trouble;
  private final CompletableFuture<Void> waited = new CompletableFuture<>();

  /**
   * Nothing is done yet.
   *
   * @param timer whose shutdown ends it
   * @param pause before the work is tried again
   * @param trouble is told why the work is not done yet, when nobody waits for it
   */
  Preparation(
      ScheduledExecutorService timer, Duration pause, Runnable work, Consumer<String> trouble) {
    this.timer = timer;
    this.pause = pause;
    this.work = work;
    this.trouble = trouble;
  }

  /**
   * Begins; returns when the work is done, or after a time.
   *
   * @throws RuntimeException of the work, if it failed within that time: then it is not tried again
   */
  void begin(Duration patience) {
    timer.execute(this::attempt);
    try {
      waited.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      leave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      leave();
    } catch (ExecutionException e) {
      // As below.
    }
    @Nullable Throwable failed = waited.handle((done, error) -> error).join();
    if (failed instanceof Error fatal) {
      throw fatal;
    } else if (failed instanceof RuntimeException known) {
      throw known; // the work throws no other
    }
  }

  private synchronized void leave() {
    if (waited.complete(null)) {
      trouble.accept("measuring has not begun: it is being prepared");
    }
  }

  private void attempt() {
    try {
      work.run();
      synchronized (this) {
        waited.complete(null);
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  private synchronized void failed(Throwable error) {
    if (!waited.completeExceptionally(error) && !timer.isShutdown()) {
      trouble.accept(
          "measuring has not begun, and is tried again every %d s: %s"
              .formatted(
                  pause.toSeconds(), error.getMessage() == null ? error : error.getMessage()));
      try {
        var unused = timer.schedule(this::attempt, pause.toNanos(), TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        // Closed just now.
      }
    }
  }
}
