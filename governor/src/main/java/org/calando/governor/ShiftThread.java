package org.calando.governor;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Shifts, one after the other. Its end interrupts the one that is under way and waits for it for
 * some minutes, as what is closed after this is the shift's own. Thread safe.
 */
final class ShiftThread implements Executor, AutoCloseable {
  private static final long END_SECONDS = 60;
  private static final int MOST_WAITS = 5;

  /** So long an end waits for the shift that is under way, at most. */
  static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(MOST_WAITS * END_SECONDS);

  private final ExecutorService executor =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "calando-shift"));
  private final Consumer<String> news;

  /**
   * A thread.
   *
   * @param news takes lines for people
   */
  ShiftThread(Consumer<String> news) {
    this.news = news;
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  @Override
  public void close() {
    executor.shutdownNow();
    boolean interrupted = Thread.interrupted();
    boolean ended = false;
    for (int waits = 1; !ended && waits <= MOST_WAITS; waits++) {
      try {
        ended = executor.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
          news.accept(
              "a shift that is under way does not end yet; "
                  + (waits < MOST_WAITS ? "it is waited for" : "it is left, its plan open"));
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
