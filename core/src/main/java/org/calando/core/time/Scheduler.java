package org.calando.core.time;

/**
 * Runs tasks at times of its {@link Clock}: a thread in real time, the event queue in a simulation.
 */
public interface Scheduler {
  /** The clock whose times {@link #at} takes. */
  Clock clock();

  /**
   * Runs {@code task} once, at {@code nanos} or as soon after as can be; at once if that time has
   * passed. Tasks of one scheduler never run at the same time as each other.
   */
  void at(long nanos, Runnable task);
}
