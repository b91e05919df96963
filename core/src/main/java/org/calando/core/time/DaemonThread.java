package org.calando.core.time;

/** Makes threads that do not keep a process alive. Stateless. */
public final class DaemonThread {
  private DaemonThread() {}

  /**
   * Starts one.
   *
   * @param name as thread dumps have it
   */
  public static Thread start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
