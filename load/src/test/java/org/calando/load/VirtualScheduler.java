package org.calando.load;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.calando.core.time.Clock;
import org.calando.core.time.Scheduler;

/** Virtual time: runs tasks in order of time on the caller's thread. */
public final class VirtualScheduler implements Scheduler {
  private static final int MOST = 1 << 20;

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::time).thenComparingLong(Task::number));
  private long nanos = 1_000;
  private long added;

  /** Of one time, in order of arrival. */
  private record Task(long time, long number, Runnable work) {}

  @Override
  public Clock clock() {
    return () -> nanos;
  }

  @Override
  public void at(long time, Runnable task) {
    if (tasks.size() == MOST) {
      throw new AssertionError("more than a million tasks");
    }
    tasks.add(new Task(time, added++, task));
  }

  /** Runs tasks until the run is done, then those that are left. */
  void runUntilDone(LoadRun run) {
    runUntil(run::isDone);
  }

  /** Runs tasks until the answer is true, and fails if there are too few. */
  public void runUntil(BooleanSupplier done) {
    while (!done.getAsBoolean() && step()) {}
    if (!done.getAsBoolean()) {
      throw new AssertionError("nothing is left to do, but the run is not done");
    }
  }

  /** Runs all tasks. */
  void runAll() {
    while (step()) {}
  }

  public long nanos() {
    return nanos;
  }

  private boolean step() {
    Task task = tasks.poll();
    if (task == null) {
      return false;
    }
    nanos = Math.max(nanos, task.time());
    task.work().run();
    return true;
  }
}
