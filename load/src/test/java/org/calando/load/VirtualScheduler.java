package org.calando.load;

import java.util.function.BooleanSupplier;
import org.calando.core.time.Clock;
import org.calando.core.time.Scheduler;
import org.calando.core.time.TaskHeap;

/** Virtual time: runs tasks in order of time on the caller's thread. */
public final class VirtualScheduler implements Scheduler {
  private final TaskHeap tasks = new TaskHeap(1 << 20);
  private long nanos = 1_000;

  @Override
  public Clock clock() {
    return () -> nanos;
  }

  @Override
  public void at(long time, Runnable task) {
    assertThatItFits(tasks.add(time, task));
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
    long time = tasks.firstNanos();
    Runnable task = tasks.poll();
    if (task == null) {
      return false;
    }
    nanos = Math.max(nanos, time);
    task.run();
    return true;
  }

  private static void assertThatItFits(boolean fits) {
    if (!fits) {
      throw new AssertionError("more than a million tasks");
    }
  }
}
