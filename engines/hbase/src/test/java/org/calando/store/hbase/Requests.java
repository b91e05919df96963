package org.calando.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.calando.core.store.BufferedWrites;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;

/** Requests of tests, each waited for. */
final class Requests {
  private static final long LONG_SECONDS = 120;

  private Requests() {}

  /** How an operation ended. */
  record End(Outcome outcome, long version) {}

  static Outcome write(Session session, int slot, long key, int bytes, long version)
      throws Exception {
    CompletableFuture<Outcome> end = new CompletableFuture<>();
    session.write(
        slot,
        key,
        0,
        bytes,
        version,
        ConsistencyLevel.ONE,
        (at, outcome, read) -> end.complete(outcome));
    return end.get(LONG_SECONDS, TimeUnit.SECONDS);
  }

  /** Writes keys of 1 KB in a row; all have to be acknowledged. */
  static List<Long> writeAll(Session session, long first, int count) throws Exception {
    List<Long> keys = new ArrayList<>();
    for (long key = first; key < first + count; key++) {
      assertThat(write(session, 0, key, 1_000, 1))
          .as(session.errors().toString())
          .isEqualTo(Outcome.OK);
      keys.add(key);
    }
    return keys;
  }

  static End read(Session session, long key) throws Exception {
    CompletableFuture<End> end = new CompletableFuture<>();
    session.read(
        0,
        key,
        0,
        ConsistencyLevel.ONE,
        (at, outcome, version) -> end.complete(new End(outcome, version)));
    return end.get(LONG_SECONDS, TimeUnit.SECONDS);
  }

  /** The keys of a row that are not on the server. */
  static List<Long> missing(Session session, long first, long count) throws Exception {
    List<Long> missing = new ArrayList<>();
    for (long key = first; key < first + count; key++) {
      End end = read(session, key);
      assertThat(end.outcome()).as(session.errors().toString()).isIn(Outcome.OK, Outcome.NOT_FOUND);
      if (end.outcome() == Outcome.NOT_FOUND) {
        missing.add(key);
      }
    }
    return missing;
  }

  /** What can be done to a session's buffers. */
  static BufferedWrites buffers(Session session) {
    return session.find(BufferedWrites.class).orElseThrow();
  }

  static void flush(Session session) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    if (session.flush(done::countDown)) {
      assertThat(done.await(LONG_SECONDS, TimeUnit.SECONDS)).as("flushed").isTrue();
    }
    assertThat(buffers(session).atRisk()).isZero();
  }
}
