package org.calando.store.hbase.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Put;
import org.calando.core.store.Outcome;
import org.calando.store.hbase.FailedWrite;
import org.jspecify.annotations.Nullable;

/*
 * The client groups a batch by server, and sends a row again, wherever its region is then, until the
 * flush timeout. A server that refuses one row refuses all of its region in the batch: those are sent
 * once more, each by itself, so that only the bad one fails. Sending twice is safe, for a write has
 * its version as its timestamp.
 */
/** Sends writes together, and sees to each of their answers. Thread safe. */
final class BatchSender {
  /** Told of each write once. */
  interface Answers {
    void answered(Write write, boolean landed);
  }

  /** Told of each request once, when all of it has been answered. */
  interface Requests {
    void ended(int writes, long nanos);
  }

  private final AsyncTable<AdvancedScanResultConsumer> table;
  private final Errors errors;
  private final FailedWrites failures;
  private final Requests requests;
  private final LongSupplier clock;
  private Answers answers = (write, landed) -> {};

  /**
   * Writes go to a table, whose operations take as long as a flush may.
   *
   * @param requests told when each request has been answered
   */
  BatchSender(
      AsyncTable<AdvancedScanResultConsumer> table,
      Errors errors,
      FailedWrites failures,
      Requests requests,
      LongSupplier clock) {
    this.table = table;
    this.errors = errors;
    this.failures = failures;
    this.requests = requests;
    this.clock = clock;
  }

  /** To be called before the first is sent. */
  void onAnswer(Answers told) {
    answers = told;
  }

  void send(List<Write> writes) {
    List<Put> puts = new ArrayList<>(writes.size());
    for (Write write : writes) {
      puts.add(write.put);
    }
    List<CompletableFuture<Void>> sent;
    try {
      sent = table.put(puts);
    } catch (RuntimeException e) {
      writes.forEach(write -> ended(write, e));
      return;
    }
    long sentNanos = clock.getAsLong();
    AtomicInteger left = new AtomicInteger(sent.size());
    for (int i = 0; i < sent.size(); i++) {
      Write write = writes.get(i);
      var unused =
          sent.get(i)
              .whenComplete(
                  (done, error) -> {
                    if (left.decrementAndGet() == 0) {
                      requests.ended(writes.size(), clock.getAsLong() - sentNanos);
                    }
                    ended(write, error);
                  });
    }
  }

  private void ended(Write write, @Nullable Throwable error) {
    if (error == null) {
      answers.answered(write, true);
    } else if (!write.sentAlone && Errors.isRefused(error) && !Errors.isWithoutTable(error)) {
      sendAlone(write);
    } else {
      Outcome outcome = Errors.outcome(error);
      errors.note("deferred write", outcome, error);
      failures.add(
          new FailedWrite(
              write.key, write.version, outcome == Outcome.INDETERMINATE, Errors.words(error)));
      answers.answered(write, false);
    }
  }

  private void sendAlone(Write write) {
    write.sentAlone = true;
    try {
      var unused = table.put(write.put).whenComplete((done, error) -> ended(write, error));
    } catch (RuntimeException e) {
      ended(write, e);
    }
  }
}
