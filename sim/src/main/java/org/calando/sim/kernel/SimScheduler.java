package org.calando.sim.kernel;

import java.util.Arrays;
import org.calando.core.time.Clock;
import org.calando.core.time.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Simulated time for what runs on an injected clock and scheduler. Tasks run on the thread that
 * runs the simulation, at exactly their time; one whose time has passed runs at the present time,
 * after what was scheduled for it before. Not thread safe. Handing in a task allocates nothing.
 */
public final class SimScheduler implements Scheduler {
  private final Simulation simulation;
  private final Clock clock;
  private final int handler;
  private @Nullable Runnable[] tasks = new Runnable[64];
  private int[] free = new int[64];
  private int freeCount;

  /** A scheduler of a simulation; any number of them share its time. */
  public SimScheduler(Simulation simulation) {
    this.simulation = simulation;
    this.clock = simulation::nowNanos;
    this.handler = simulation.register((kind, slot) -> run(slot));
    addFree(0);
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public void at(long nanos, Runnable task) {
    if (freeCount == 0) {
      int before = tasks.length;
      tasks = Arrays.copyOf(tasks, 2 * before);
      free = Arrays.copyOf(free, 2 * before);
      addFree(before);
    }
    int slot = free[--freeCount];
    tasks[slot] = task;
    simulation.schedule(Math.max(nanos, simulation.nowNanos()), handler, 0, slot);
  }

  private void run(int slot) {
    Runnable task = tasks[slot];
    tasks[slot] = null;
    free[freeCount++] = slot;
    if (task != null) {
      task.run();
    }
  }

  private void addFree(int from) {
    for (int slot = tasks.length - 1; slot >= from; slot--) {
      free[freeCount++] = slot;
    }
  }
}
