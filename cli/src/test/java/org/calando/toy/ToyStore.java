package org.calando.toy;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.KeyValueStore;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.store.TableSpec;

/** Versions of records in memory. */
final class ToyStore implements KeyValueStore {
  private final Map<Long, Long> versions = new ConcurrentHashMap<>();
  private final ScheduledExecutorService answers =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "toy");
            thread.setDaemon(true);
            return thread;
          });
  private final long delayNanos;
  private boolean prepared;

  ToyStore(Duration delay) {
    this.delayNanos = delay.toNanos();
  }

  @Override
  public void prepare(TableSpec table) {
    versions.clear();
    prepared = true;
  }

  @Override
  public Session open(SessionRequest request) {
    if (!prepared) {
      throw new IllegalStateException("no table was prepared");
    }
    request.requireReadsFromAny(ToyEngine.ID);
    request.requireStrongWrites(ToyEngine.ID);
    return new ToySession(request.slots());
  }

  @Override
  public void settle(Duration deadline) {
    // There is nothing to settle.
  }

  @Override
  public void requireHeld() {
    // Nobody else can reach it.
  }

  @Override
  public String engine() {
    return "toy 1";
  }

  @Override
  public void close() {
    answers.shutdownNow();
  }

  private final class ToySession implements Session {
    private final int slots;

    ToySession(int slots) {
      this.slots = slots;
    }

    @Override
    public int slots() {
      return slots;
    }

    @Override
    public void read(int slot, long key, int field, ConsistencyLevel level, Completion completion) {
      long version = versions.getOrDefault(key, NO_VERSION);
      answer(slot, version == NO_VERSION ? Outcome.NOT_FOUND : Outcome.OK, version, completion);
    }

    @Override
    public void write(
        int slot,
        long key,
        int field,
        int valueBytes,
        long version,
        ConsistencyLevel level,
        Completion completion) {
      versions.merge(key, version, Math::max);
      answer(slot, Outcome.OK, NO_VERSION, completion);
    }

    @Override
    public void scan(
        int slot, long key, int count, int field, ConsistencyLevel level, Completion completion) {
      answer(slot, Outcome.OK, NO_VERSION, completion);
    }

    private void answer(int slot, Outcome outcome, long version, Completion completion) {
      var unused =
          answers.schedule(
              () -> completion.complete(slot, outcome, version), delayNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }
}
