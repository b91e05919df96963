package org.calando.store.hbase.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Put;
import org.calando.core.store.FailedWrite;
import org.calando.core.store.Outcome;
import org.jspecify.annotations.Nullable;

/*
 * The client groups a batch by server, and sends a row again, wherever its region is then, until the
 * flush timeout. A server that refuses one row refuses all of its region in the batch: those are sent
 * once more, each by itself, so that only the bad one fails. Sending twice is safe, for a write has
 * its version as its timestamp.
 */
/** Sends writes together, and sees to each of their answers. Thread safe. */
final class BatchSender implements WriteBuffers.Sender {
  /** Told of each request once, when all of it has been answered. */
  interface Requests {
    /** A request has been answered, so long after it was due. */
    void ended(int writes, long nanos);
  }

  private final AsyncTable<AdvancedScanResultConsumer> table;
  private final Errors errors;
  private final Requests requests;
  private final LongSupplier clock;

  /**
   * Writes go to a table, whose operations take as long as a flush may.
   *
   * @param requests told when each request has been answered
   */
  BatchSender(
      AsyncTable<AdvancedScanResultConsumer> table,
      Errors errors,
      Requests requests,
      LongSupplier clock) {
    this.table = table;
    this.errors = errors;
    this.requests = requests;
    this.clock = clock;
  }

  @Override
  public void send(Batch batch, WriteBuffers.Answers answers) {
    List<Write> writes = batch.writes();
    List<Put> puts = new ArrayList<>(writes.size());
    for (Write write : writes) {
      puts.add(write.put);
    }
    List<CompletableFuture<Void>> sent;
    try {
      sent = table.put(puts);
    } catch (RuntimeException e) {
      writes.forEach(write -> ended(batch, write, e, answers));
      return;
    }
    AtomicInteger left = new AtomicInteger(sent.size());
    for (int i = 0; i < sent.size(); i++) {
      Write write = writes.get(i);
      var unused =
          sent.get(i)
              .whenComplete(
                  (done, error) -> {
                    if (left.decrementAndGet() == 0) {
                      requests.ended(writes.size(), clock.getAsLong() - batch.dueNanos());
                    }
                    ended(batch, write, error, answers);
                  });
    }
  }

  private void ended(
      Batch batch, Write write, @Nullable Throwable error, WriteBuffers.Answers answers) {
    if (error == null) {
      answers.ended(batch, write, null);
    } else if (!write.sentAlone && Errors.isRefused(error) && !Errors.isWithoutTable(error)) {
      sendAlone(batch, write, answers);
    } else {
      Outcome outcome = Errors.outcome(error);
      errors.note("deferred write", outcome, error);
      answers.ended(
          batch,
          write,
          new FailedWrite(
              write.key, write.version, outcome == Outcome.INDETERMINATE, Errors.words(error)));
    }
  }

  private void sendAlone(Batch batch, Write write, WriteBuffers.Answers answers) {
    write.sentAlone = true;
    try {
      var unused =
          table.put(write.put).whenComplete((done, error) -> ended(batch, write, error, answers));
    } catch (RuntimeException e) {
      ended(batch, write, e, answers);
    }
  }
}
