package org.calando.cli;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client that reads rows and writes beats, one after the other, and reads each beat back. It
 * rests for a moment between its rounds: it is to notice what nodes do, not to keep them from it.
 */
final class QuorumLoad implements AutoCloseable {
  private static final long REST_MILLIS = 10;

  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final AtomicInteger rounds = new AtomicInteger();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final Random random = new Random(2);
  private final int rows;
  private final CqlSession session;
  private final PreparedStatement read;
  private final PreparedStatement write;
  private final PreparedStatement back;

  QuorumLoad(CqlSession session, int rows) {
    this.session = session;
    this.rows = rows;
    read = session.prepare("SELECT id FROM shop.items WHERE id = ?");
    write = session.prepare("INSERT INTO shop.beats (id, beat) VALUES (?, ?)");
    back = session.prepare("SELECT beat FROM shop.beats WHERE id = ?");
    var unused = thread.scheduleWithFixedDelay(this::round, 0, REST_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void round() {
    int round = rounds.incrementAndGet();
    int id = random.nextInt(rows);
    try {
      if (session.execute(read.bind(id)).one() == null) {
        failures.add("row " + id + " is not found");
      }
      var unused = session.execute(write.bind(id, round));
      var beat = session.execute(back.bind(id)).one();
      if (beat == null || beat.getInt(0) != round) {
        failures.add("beat " + round + " of " + id + " is not read back");
      }
    } catch (RuntimeException e) {
      failures.add(e.toString());
    }
  }

  /** Rounds so far. */
  int rounds() {
    return rounds.get();
  }

  /** What went wrong, in words. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(1, TimeUnit.MINUTES)) {
        throw new AssertionError("a round does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
