package org.calando.cli;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A client that reads rows and writes beats, one after the other, and reads each beat back. */
final class QuorumLoad implements AutoCloseable {
  private final Thread thread;
  private final AtomicInteger rounds = new AtomicInteger();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private volatile boolean ended;

  QuorumLoad(CqlSession session, int rows) {
    PreparedStatement read = session.prepare("SELECT id FROM shop.items WHERE id = ?");
    PreparedStatement write = session.prepare("INSERT INTO shop.beats (id, beat) VALUES (?, ?)");
    PreparedStatement back = session.prepare("SELECT beat FROM shop.beats WHERE id = ?");
    Random random = new Random(2);
    thread =
        new Thread(
            () -> {
              while (!ended) {
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
                } catch (DriverException e) {
                  failures.add(e.toString());
                }
              }
            },
            "quorum-load");
    thread.start();
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
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
