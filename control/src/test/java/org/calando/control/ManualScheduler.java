package org.calando.control;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.calando.core.time.Clock;
import org.calando.core.time.Scheduler;

/** Virtual time that a test moves on, and may also make jump. */
public final class ManualScheduler implements Scheduler {
  private record Task(long nanos, Runnable work) {}

  private final List<Task> tasks = new ArrayList<>();
  private long now = 1_000;
  boolean refuses;

  @Override
  public Clock clock() {
    return () -> now;
  }

  @Override
  public void at(long nanos, Runnable task) {
    if (refuses) {
      throw new RejectedExecutionException("closed");
    }
    tasks.add(new Task(nanos, task));
  }

  /** The time. */
  public long now() {
    return now;
  }

  int tasks() {
    return tasks.size();
  }

  /** Runs what is due at once. */
  public void run() {
    advance(0);
  }

  /** Lets time pass, and runs what comes due. */
  public void advance(long nanos) {
    long end = now + nanos;
    while (true) {
      // The first of equal times: min keeps the order in which they came.
      Task next = tasks.stream().min(Comparator.comparingLong(Task::nanos)).orElse(null);
      if (next == null || next.nanos() > end) {
        break;
      }
      tasks.remove(next);
      now = Math.max(now, next.nanos());
      next.work().run();
    }
    now = Math.max(now, end);
  }

  /** Makes the clock jump; nothing runs. */
  public void jump(long nanos) {
    now += nanos;
  }
}
