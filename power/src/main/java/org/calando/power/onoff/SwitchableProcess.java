package org.calando.power.onoff;

/**
 * A node of a cluster on this machine: a process that is started and ended. Its calls are orders,
 * bounded in time; they fail with a {@link org.calando.core.FailedWorkException}. Thread safe.
 */
public interface SwitchableProcess {
  /** The node's name. */
  String name();

  /** Whether its process runs, be it ready or not. */
  boolean isRunning();

  /** Starts it; changes nothing where it runs. */
  void start() throws InterruptedException;

  /** Asks it to end (SIGTERM). */
  void stop() throws InterruptedException;

  /** Ends it at once (SIGKILL). */
  void kill() throws InterruptedException;
}
