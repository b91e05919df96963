package org.calando.promise;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.calando.core.time.DaemonThread;

/** Does something at random times, whatever became of it before: an open loop on its thread. */
final class Pace {
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Runnable action;
  private final SplittableRandom random;
  private final Thread thread;
  private volatile double rate;
  private volatile boolean ended;

  Pace(String name, double rate, long seed, Runnable action) {
    this.action = action;
    this.rate = rate;
    this.random = new SplittableRandom(seed);
    this.thread = DaemonThread.of(name, this::run);
  }

  void begin() {
    thread.start();
  }

  /** Another rate a second from now on; 0 pauses. */
  void rate(double newRate) {
    rate = newRate;
  }

  /** Returns when nothing more is done. */
  void end() throws InterruptedException {
    ended = true;
    thread.join();
  }

  private void run() {
    long next = System.nanoTime();
    while (!ended) {
      double now = rate;
      if (now <= 0) {
        LockSupport.parkNanos(IDLE_NANOS);
        next = System.nanoTime();
        continue;
      }
      next += (long) (-Math.log1p(-random.nextDouble()) / now * TimeUnit.SECONDS.toNanos(1));
      while (!ended && System.nanoTime() - next < 0) {
        LockSupport.parkNanos(next - System.nanoTime());
      }
      if (!ended) {
        action.run();
      }
    }
  }
}
