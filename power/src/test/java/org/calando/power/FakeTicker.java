package org.calando.power;

/**
 * Time that stands still until a test moves it. Threads wait for it for ever unless the test lets
 * them go, so that only the test decides when something is read.
 */
final class FakeTicker implements Ticker {
  private long nowNanos = 5_000_000_000L;
  private int waiting;
  private boolean wakesThreads;

  @Override
  public synchronized long nanos() {
    return nowNanos;
  }

  @Override
  public synchronized void awaitUntil(long atNanos) throws InterruptedException {
    waiting++;
    try {
      while (!wakesThreads || nowNanos < atNanos) {
        wait();
      }
    } finally {
      waiting--;
    }
  }

  synchronized void advance(double seconds) {
    nowNanos += Math.round(seconds * 1e9);
    notifyAll();
  }

  synchronized void wakeThreads() {
    wakesThreads = true;
  }

  synchronized boolean someoneWaits() {
    return waiting > 0;
  }
}
