package org.calando.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;

/**
 * Writes key after key, each waited for, and looks at the end whether all are there. It rests for a
 * moment after each: it is to notice what servers do, not to keep them from it.
 */
final class SteadyWriter implements AutoCloseable {
  private static final long LONG_SECONDS = 120;
  private static final long REST_MILLIS = 50;
  private static final int BYTES = 1_000;

  private final Session session;
  private final Session reader;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final AtomicLong acknowledged = new AtomicLong();
  private final List<String> failed = Collections.synchronizedList(new ArrayList<>());

  /** Begins at once. */
  SteadyWriter(Session session, Session reader) {
    this.session = session;
    this.reader = reader;
    var unused = thread.scheduleWithFixedDelay(this::write, 0, REST_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void write() {
    if (!failed.isEmpty()) {
      return;
    }
    long key = acknowledged.get();
    CompletableFuture<Outcome> end = new CompletableFuture<>();
    session.write(
        0,
        key,
        0,
        BYTES,
        1,
        ConsistencyLevel.ONE,
        (slot, outcome, version) -> end.complete(outcome));
    try {
      Outcome outcome = end.get(LONG_SECONDS, TimeUnit.SECONDS);
      if (outcome == Outcome.OK) {
        acknowledged.incrementAndGet();
      } else {
        failed.add("key " + key + ": " + outcome + " " + session.errors());
      }
    } catch (Exception e) {
      failed.add("key " + key + ": " + e);
    }
  }

  /** Waits until so many more writes were acknowledged. */
  void awaitMore(long count) {
    long wanted = acknowledged.get() + count;
    Awaitility.await()
        .atMost(Duration.ofSeconds(LONG_SECONDS))
        .until(() -> acknowledged.get() >= wanted || !failed.isEmpty());
  }

  /** Writes that were acknowledged: keys from 0. */
  long acknowledged() {
    return acknowledged.get();
  }

  List<String> failed() {
    return List.copyOf(failed);
  }

  /** Keys whose write was acknowledged, and that are not there. */
  List<Long> lost() throws Exception {
    List<Long> lost = new ArrayList<>();
    for (long key = 0; key < acknowledged.get(); key++) {
      CompletableFuture<Outcome> end = new CompletableFuture<>();
      reader.read(
          0, key, 0, ConsistencyLevel.ONE, (slot, outcome, version) -> end.complete(outcome));
      if (end.get(LONG_SECONDS, TimeUnit.SECONDS) != Outcome.OK) {
        lost.add(key);
      }
    }
    return lost;
  }

  /** Ends the writes; reads go on. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(2 * LONG_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("a write does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
