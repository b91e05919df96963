package org.calando.core.time;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;

/** Makes threads that do not keep a process alive, by the names that dumps have. Stateless. */
public final class DaemonThread {
  private DaemonThread() {}

  /** One that is not started. */
  public static Thread of(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Starts one. */
  public static Thread start(String name, Runnable work) {
    Thread thread = of(name, work);
    thread.start();
    return thread;
  }

  /** For executors, all of one name. */
  public static ThreadFactory factory(String name) {
    return work -> of(name, work);
  }

  /** One that carries out tasks, one after the other. */
  public static ExecutorService executor(String name) {
    return Executors.newSingleThreadExecutor(factory(name));
  }

  /** So many of one name. */
  public static ExecutorService pool(String name, int threads) {
    return Executors.newFixedThreadPool(threads, factory(name));
  }

  /** One that carries out tasks at their times. */
  public static ScheduledExecutorService scheduler(String name) {
    return Executors.newSingleThreadScheduledExecutor(factory(name));
  }
}
