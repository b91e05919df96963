package org.calando.session.internal;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.LongAdder;
import org.calando.session.Cost;

/** Adds up what our own work costs, whichever thread does it. Thread safe. */
public final class CostMeter {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final boolean TELLS_CPU = THREADS.isCurrentThreadCpuTimeSupported();

  private final LongAdder requests = new LongAdder();
  private final LongAdder cpuNanos = new LongAdder();

  /** Counts a request. */
  public void request() {
    requests.increment();
  }

  /** Runs a piece of work and counts its CPU time; pieces do not nest. */
  public void run(Runnable work) {
    long begun = threadCpuNanos();
    try {
      work.run();
    } finally {
      cpuNanos.add(threadCpuNanos() - begun);
    }
  }

  /** What it has come to. */
  public Cost cost() {
    return new Cost(requests.sum(), cpuNanos.sum());
  }

  private static long threadCpuNanos() {
    return TELLS_CPU ? THREADS.getCurrentThreadCpuTime() : 0;
  }
}
