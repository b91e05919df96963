package org.calando.core.time;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks in real time on one daemon thread, in order of their times and, at equal times, in the
 * order in which they were handed in.
 *
 * <p>Accuracy: a task never runs before its time. On an idle Linux core it runs 60 to 90
 * microseconds after it, which is the kernel's default timer slack of 50 microseconds plus a
 * wake-up; on a busy machine it waits for a core, milliseconds at times, and it waits for the task
 * before it. Thread safe. Tasks are to be short and not to block; handing one in allocates nothing.
 */
public final class RealTimeScheduler implements Scheduler, AutoCloseable {
  private static final int DEFAULT_CAPACITY = 1 << 16;

  private final Object lock = new Object();
  private final TaskHeap heap;
  private final Thread thread;
  private final int capacity;
  private volatile boolean closed;
  private volatile @Nullable Throwable failure;

  /**
   * Starts a scheduler with room for 65536 tasks.
   *
   * @param name of its thread
   */
  public RealTimeScheduler(String name) {
    this(name, DEFAULT_CAPACITY);
  }

  /**
   * Starts a scheduler with room for so many tasks.
   *
   * @param name of its thread
   * @param capacity tasks waiting at most, 1 or more
   */
  public RealTimeScheduler(String name, int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity " + capacity + " < 1");
    }
    this.capacity = capacity;
    heap = new TaskHeap(capacity);
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public Clock clock() {
    return SystemClock.INSTANCE;
  }

  /**
   * {@inheritDoc}
   *
   * @throws RejectedExecutionException if the scheduler is closed or full
   */
  @Override
  public void at(long nanos, Runnable task) {
    boolean first;
    synchronized (lock) {
      if (closed) {
        throw new RejectedExecutionException("the scheduler is closed");
      }
      first = nanos < heap.firstNanos();
      if (!heap.add(nanos, task)) {
        throw new RejectedExecutionException("the scheduler holds " + capacity + " tasks already");
      }
    }
    if (first && Thread.currentThread() != thread) {
      LockSupport.unpark(thread);
    }
  }

  /** The first thing that a task threw, or null; the scheduler goes on with the next task. */
  public @Nullable Throwable failure() {
    return failure;
  }

  /** Forgets tasks that wait and ends the thread after the task that runs, if any. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      heap.clear();
    }
    LockSupport.unpark(thread);
  }

  private void run() {
    while (!closed) {
      Runnable due = null;
      long waitNanos;
      synchronized (lock) {
        long first = heap.firstNanos();
        waitNanos = first == Long.MAX_VALUE ? Long.MAX_VALUE : first - clock().nanos();
        if (waitNanos <= 0) {
          due = heap.poll();
        }
      }
      if (due != null) {
        run(due);
      } else {
        // A permit given since the lock was left makes this return at once. Interrupts are nobody's
        // request to stop; they are cleared lest park no longer waits.
        LockSupport.parkNanos(this, waitNanos);
        Thread.interrupted();
      }
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      if (failure == null) {
        failure = e;
      }
    }
  }
}
