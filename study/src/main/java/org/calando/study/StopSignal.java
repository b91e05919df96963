package org.calando.study;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells work under way that the user (Ctrl-C) or the system (SIGTERM) wants it to end.
 *
 * <p>Thread safe.
 */
public final class StopSignal {
  private final List<Runnable> actions = new ArrayList<>();
  private final List<Thread> finishing = new ArrayList<>();
  private boolean requested;
  private boolean cutOff;

  /** Asks the work to end; actions registered run at once, in the calling thread. */
  public void request() {
    List<Runnable> pending;
    synchronized (this) {
      if (requested) {
        return;
      }
      requested = true;
      pending = List.copyOf(actions);
    }
    pending.forEach(Runnable::run);
  }

  /** Whether the work was asked to end. */
  public synchronized boolean isRequested() {
    return requested;
  }

  /**
   * Throws if the work was asked to end.
   *
   * @throws StoppedException if so
   */
  public void check() {
    if (isRequested()) {
      throw new StoppedException();
    }
  }

  /**
   * Lets time go by.
   *
   * @throws StoppedException if the work was asked to end, before or meanwhile
   */
  void pause(Duration time) throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    Registration registration = onRequest(asked::countDown);
    try {
      if (asked.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
        check();
      }
    } finally {
      registration.close();
    }
  }

  /**
   * Runs {@code action} when a stop is requested, at once if it already was. It must be short and
   * must not throw.
   *
   * @return takes the action back
   */
  public Registration onRequest(Runnable action) {
    boolean now;
    synchronized (this) {
      now = requested;
      if (!now) {
        actions.add(action);
      }
    }
    if (now) {
      action.run();
    }
    return () -> {
      synchronized (this) {
        actions.remove(action);
      }
    };
  }

  /**
   * Has the end wait for work of this thread that is not to be cut off, until it is closed or
   * {@link #cutOff}.
   *
   * @return ends the wait
   * @throws StoppedException if it was cut off already
   */
  public synchronized Registration finishing() {
    if (cutOff) {
      throw new StoppedException();
    }
    Thread worker = Thread.currentThread();
    finishing.add(worker);
    return () -> {
      synchronized (this) {
        finishing.remove(worker);
      }
    };
  }

  /** Whether there is work that is not to be cut off. */
  public synchronized boolean isFinishing() {
    return !cutOff && !finishing.isEmpty();
  }

  /** Interrupts work that was not to be cut off, and that no end waits for any more. */
  public synchronized void cutOff() {
    cutOff = true;
    finishing.forEach(Thread::interrupt);
  }

  /** Whether it was cut off. */
  public synchronized boolean isCutOff() {
    return cutOff;
  }

  /** An action's place in a {@link StopSignal}. */
  @FunctionalInterface
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  /** Ends the work of a thread after a stop was requested. */
  public static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoppedException() {
      super("stopped");
    }
  }
}
