package org.calando.concerto.trials;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.calando.core.time.DaemonThread;
import org.jspecify.annotations.Nullable;

/*
 * One writer, whose writes are numbered: key w:I holds I. After each it asks how many replicas have it
 * (WAIT), so that a write is known to be on so many; whether a fail-over lost it is looked up in the
 * end. WAIT has a short timeout, so writes are acknowledged by fewer replicas while one is away.
 */
/** Writes as long as it is open, and finds out what was lost. Thread safe. */
final class AckedWrites implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 1_000;
  private static final String WAIT_MILLIS = "50";
  private static final long BETWEEN_NANOS = 500_000;
  private static final int MOST = 5_000_000;

  private final List<Integer> ports;
  private final byte[] replicas = new byte[MOST];
  private final Thread thread;
  private int next;
  private long errors;
  private volatile boolean closed;

  AckedWrites(List<Integer> ports) {
    this.ports = List.copyOf(ports);
    thread = DaemonThread.start("writer", this::run);
  }

  /**
   * What became of the writes.
   *
   * @param acknowledgedByAll writes that every replica had acknowledged
   * @param lostOfThose of them, those that the master does not have
   * @param acknowledgedByFewer writes that the master acknowledged, and not every replica
   * @param lostOfFewer of them, those that the master does not have
   * @param errors writes that were refused, or not answered
   */
  record Outcome(
      int acknowledgedByAll,
      int lostOfThose,
      int acknowledgedByFewer,
      int lostOfFewer,
      long errors) {}

  /** Writes so far. */
  synchronized int count() {
    return next;
  }

  /** Ends writing, and looks every write up. */
  Outcome check(int masterPort, int replicaCount) throws IOException {
    close();
    int all = 0;
    int lost = 0;
    int fewer = 0;
    int lostOfFewer = 0;
    try (Resp master = new Resp(masterPort, TIMEOUT_MILLIS)) {
      for (int i = 0; i < count(); i++) {
        if (replicas[i] < 0) {
          continue;
        }
        boolean there = master.ask("GET", "w:" + i).get(0).equals(String.valueOf(i));
        if (replicas[i] >= replicaCount) {
          all++;
          lost += there ? 0 : 1;
        } else {
          fewer++;
          lostOfFewer += there ? 0 : 1;
        }
      }
    }
    return new Outcome(all, lost, fewer, lostOfFewer, errors);
  }

  private void run() {
    @Nullable Resp link = null;
    int at = 0;
    while (!closed && next < MOST) {
      int write = next;
      replicas[write] = -1;
      try {
        if (link == null) {
          link = new Resp(ports.get(at), TIMEOUT_MILLIS);
        }
        link.ask("SET", "w:" + write, String.valueOf(write));
        replicas[write] = 0;
        replicas[write] = (byte) Integer.parseInt(link.ask("WAIT", "2", WAIT_MILLIS).get(0));
      } catch (IOException e) {
        Resp.discard(link);
        link = null;
        at = (at + 1) % ports.size();
        failed();
      }
      wrote();
      LockSupport.parkNanos(BETWEEN_NANOS);
    }
    Resp.discard(link);
  }

  private synchronized void wrote() {
    next++;
  }

  private synchronized void failed() {
    errors++;
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
