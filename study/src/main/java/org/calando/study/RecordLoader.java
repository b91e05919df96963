package org.calando.study;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.calando.core.FailedWorkException;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.workload.InsertSequence;
import org.calando.core.workload.Mix;
import org.calando.core.workload.Operation;
import org.calando.core.workload.OperationStream;
import org.calando.core.workload.Workload;
import org.jspecify.annotations.Nullable;

/**
 * Writes a workload's records before a run, each at version 1 and at ALL, so that every replica
 * holds them when the run begins.
 *
 * <p>A write that fails is repeated a few times: writing a version again is harmless.
 */
final class RecordLoader {
  private static final int TRIES = 5;
  private static final long SEED = 1;
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  private final Session session;
  private final StopSignal stop;
  private final InsertSequence inserts;
  private final OperationStream[] streams;
  private final Operation[] operations;
  private final long end;
  private final int[] failures;
  private final AtomicInteger running;
  private final CountDownLatch done = new CountDownLatch(1);
  private final AtomicReference<@Nullable Outcome> failure = new AtomicReference<>();

  private RecordLoader(Session session, Workload workload, StopSignal stop) {
    this.session = session;
    this.stop = stop;
    this.inserts = new InsertSequence(workload.insertStart());
    this.streams = new OperationStream[session.slots()];
    this.operations = new Operation[session.slots()];
    Workload onlyInserts = workload.toBuilder().mix(new Mix(0, 0, 1, 0, 0)).build();
    for (int slot = 0; slot < streams.length; slot++) {
      streams[slot] = new OperationStream(onlyInserts, inserts, SEED, slot);
      operations[slot] = new Operation();
    }
    this.end = workload.insertStart() + workload.insertCount();
    this.failures = new int[session.slots()];
    this.running = new AtomicInteger(session.slots());
  }

  /**
   * Loads all records and returns when every replica has acknowledged each.
   *
   * @throws FailedWorkException if a record could not be written after some tries
   */
  static void load(Session session, Workload workload, StopSignal stop)
      throws InterruptedException {
    RecordLoader loader = new RecordLoader(session, workload, stop);
    for (int slot = 0; slot < session.slots(); slot++) {
      loader.advance(slot);
    }
    boolean ended = loader.done.await(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    stop.check();
    Outcome failure = loader.failure.get();
    if (failure != null || !ended) {
      throw new FailedWorkException(
          failure == null
              ? "the records were not loaded within " + Progress.spoken(DEADLINE)
              : "a record could not be written at ALL (" + failure + ") in " + TRIES + " tries",
          "table " + workload.table(),
          "check that all nodes are up; see their logs");
    }
  }

  private void advance(int slot) {
    streams[slot].next(operations[slot]);
    if (operations[slot].key >= end || failure.get() != null || stop.isRequested()) {
      if (running.decrementAndGet() == 0) {
        done.countDown();
      }
      return;
    }
    failures[slot] = 0;
    write(slot);
  }

  private void write(int slot) {
    Operation insert = operations[slot];
    session.write(
        slot,
        insert.key,
        Session.ALL_FIELDS,
        insert.valueBytes,
        1,
        ConsistencyLevel.ALL,
        (ended, outcome, version) -> written(slot, outcome));
  }

  private void written(int slot, Outcome outcome) {
    inserts.acknowledge(operations[slot].key);
    if (outcome == Outcome.OK || ++failures[slot] >= TRIES) {
      if (outcome != Outcome.OK) {
        failure.compareAndSet(null, outcome);
      }
      advance(slot);
    } else {
      write(slot);
    }
  }
}
