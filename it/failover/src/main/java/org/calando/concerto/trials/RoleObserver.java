package org.calando.concerto.trials;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.calando.core.time.DaemonThread;
import org.jspecify.annotations.Nullable;

/*
 * A node becomes the master between two answers, so the time of its change is known to the time
 * between them, about a millisecond; it is taken as that of the first answer, the later of the two.
 * Its clock is read after the answer: a clock that is fast by then was raised before.
 */
/**
 * Asks one node for its role about each millisecond, and looks at its clock each time it says to be
 * the master: how long it is slow after it became one. Thread safe.
 */
final class RoleObserver implements AutoCloseable {
  private static final long BETWEEN_NANOS = 1_000_000;
  private static final int TIMEOUT_MILLIS = 500;

  private final int port;
  private final int cpu;
  private final FakeClocks clocks;
  private final Thread thread;
  private final List<Long> raises = new ArrayList<>();
  private boolean master;
  private long slowSinceNanos;
  private boolean slow;
  private boolean answered;
  private volatile boolean closed;

  /** Begins. */
  RoleObserver(String name, int port, int cpu, FakeClocks clocks) {
    this.port = port;
    this.cpu = cpu;
    this.clocks = clocks;
    thread = DaemonThread.start("observer-" + name, this::run);
  }

  /**
   * Times in nanoseconds from each change to master until the clock was fast, 0 where it was fast
   * already; whatever was slow again later counts anew. What it was at first is no change.
   */
  synchronized List<Long> slowTimes() {
    List<Long> all = new ArrayList<>(raises);
    if (slow) {
      all.add(System.nanoTime() - slowSinceNanos);
    }
    return all;
  }

  /** Whether it said last that it is the master. */
  synchronized boolean isMaster() {
    return master;
  }

  private void run() {
    @Nullable Resp link = null;
    while (!closed) {
      try {
        if (link == null) {
          link = new Resp(port, TIMEOUT_MILLIS);
        }
        saw(link.ask("ROLE").get(0).equals("master"), System.nanoTime());
      } catch (IOException down) {
        Resp.discard(link);
        link = null;
        silent();
      }
      LockSupport.parkNanos(BETWEEN_NANOS);
    }
    Resp.discard(link);
  }

  private synchronized void saw(boolean saysMaster, long nowNanos) {
    boolean began = saysMaster && !master && answered;
    answered = true;
    master = saysMaster;
    boolean isSlow = saysMaster && clocks.kiloHertz(cpu) < FakeClocks.FASTEST;
    if (isSlow && !slow) {
      slowSinceNanos = nowNanos;
    } else if (!isSlow && slow) {
      raises.add(nowNanos - slowSinceNanos);
    } else if (began && !isSlow) {
      raises.add(0L);
    }
    slow = isSlow;
  }

  private synchronized void silent() {
    master = false;
    if (slow) {
      raises.add(System.nanoTime() - slowSinceNanos);
      slow = false;
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join(TimeUnit.SECONDS.toMillis(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
