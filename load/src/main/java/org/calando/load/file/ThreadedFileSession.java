package org.calando.load.file;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.calando.core.store.FileStore;
import org.calando.core.time.DaemonThread;

/**
 * A session with a thread for each call that can be under way. More calls than that wait for a
 * thread, and more than twice as many are refused. Thread safe.
 */
public final class ThreadedFileSession implements FileSession, AutoCloseable {
  private static final long CLOSE_SECONDS = 10;

  private final FileStore store;
  private final int slots;
  private final ThreadPoolExecutor threads;

  /**
   * Threads are started as they are needed.
   *
   * @param store used by all threads; not closed with the session
   * @param slots threads, 1 or more
   * @param name of the threads
   */
  public ThreadedFileSession(FileStore store, int slots, String name) {
    if (slots < 1) {
      throw new IllegalArgumentException("slots " + slots + " < 1");
    }
    this.store = store;
    this.slots = slots;
    this.threads =
        new ThreadPoolExecutor(
            slots,
            slots,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(slots),
            DaemonThread.factory(name));
  }

  @Override
  public int slots() {
    return slots;
  }

  /**
   * {@inheritDoc}
   *
   * @throws java.util.concurrent.RejectedExecutionException if it is closed, or too many wait
   */
  @Override
  public void call(Call call, Completion completion) {
    threads.execute(() -> run(call, completion));
  }

  private void run(Call call, Completion completion) {
    long bytes = 0;
    RuntimeException failure = null;
    try {
      bytes = call.run(store);
    } catch (RuntimeException e) {
      failure = e;
    }
    completion.done(bytes, failure);
  }

  /** Interrupts what is under way and waits up to 10 s for it. */
  @Override
  public void close() {
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        return; // daemon threads: the process can end all the same
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
