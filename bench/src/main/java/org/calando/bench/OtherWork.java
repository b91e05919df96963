package org.calando.bench;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.calando.core.time.DaemonThread;

/** Work of somebody else beside a benchmark: all cores are busy for 20 to 60 ms, now and then. */
final class OtherWork {
  private static final double LEAST_NANOS = 20e6;
  private static final double MOST_NANOS = 60e6;

  private OtherWork() {}

  /**
   * Begins it; it ends with the process.
   *
   * @param share of the time in which cores are busy, 0 .. 1; 0 for none
   */
  static void begin(double share, long seed) {
    int cores = share > 0 ? Runtime.getRuntime().availableProcessors() : 0;
    for (int core = 0; core < cores; core++) {
      // Of one seed: all are busy together.
      SplittableRandom random = new SplittableRandom(seed);
      var unused = DaemonThread.start("other-work", () -> work(share, random, System.nanoTime()));
    }
  }

  private static void work(double share, SplittableRandom random, long begunNanos) {
    double next = 0;
    while (true) {
      double nanos = LEAST_NANOS + (MOST_NANOS - LEAST_NANOS) * random.nextDouble();
      next += -Math.log(1 - random.nextDouble()) * (LEAST_NANOS + MOST_NANOS) / 2 / share;
      long begin = begunNanos + (long) next;
      try {
        TimeUnit.NANOSECONDS.sleep(begin - System.nanoTime());
      } catch (InterruptedException e) {
        return;
      }
      while (System.nanoTime() - begin < nanos) {
        Thread.onSpinWait();
      }
    }
  }

  /** How busy the machine is by its own count. */
  static String machine() {
    return String.format(
        Locale.ROOT,
        "%d cores, load %.1f",
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }
}
