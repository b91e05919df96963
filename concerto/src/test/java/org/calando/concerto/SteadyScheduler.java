package org.calando.concerto;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.calando.core.time.Clock;
import org.calando.core.time.Scheduler;

/** Runs tasks on a thread of its own when the time that a test sets has come. Thread safe. */
final class SteadyScheduler implements Scheduler, AutoCloseable {
  private record Task(long nanos, Runnable work) {}

  private final List<Task> tasks = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "steady");
  private long now;
  private boolean closed;

  SteadyScheduler(long nanos) {
    now = nanos;
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public Clock clock() {
    return this::now;
  }

  private synchronized long now() {
    return now;
  }

  synchronized void set(long nanos) {
    now = nanos;
    notifyAll();
  }

  @Override
  public synchronized void at(long nanos, Runnable task) {
    if (closed) {
      throw new RejectedExecutionException("closed");
    }
    tasks.add(new Task(nanos, task));
    notifyAll();
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  private void run() {
    for (Task task = next(); task != null; task = next()) {
      try {
        task.work().run();
      } catch (RuntimeException | Error e) {
        // As the scheduler of real time: the next task is another matter.
      }
    }
  }

  private synchronized Task next() {
    while (!closed) {
      // The first of equal times: min keeps the order in which they came.
      Task first = tasks.stream().min(Comparator.comparingLong(Task::nanos)).orElse(null);
      if (first != null && first.nanos() <= now) {
        tasks.remove(first);
        return first;
      }
      try {
        wait();
      } catch (InterruptedException e) {
        return null;
      }
    }
    return null;
  }
}
