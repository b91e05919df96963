package org.calando.store.hbase.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.calando.core.observe.WriteAccount;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.store.FailedWrite;
import org.calando.core.store.Outcome;
import org.calando.core.store.TableSpec;
import org.calando.core.store.WriteBuffering;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Buffers by themselves: what is sent is collected here, and answered when the test says. */
class WriteBuffersTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int CLIENTS = 3;
  private static final long LARGE = 12_000_000;

  private final Rows rows = new Rows(new TableSpec("usertable", 1, "field"));
  private final long oneWrite = write(0).bytes;
  private final WriteAccount account = new WriteAccount(System.nanoTime());
  private final List<FailedWrite> failed = new CopyOnWriteArrayList<>();
  private final FailedWrites failures = new FailedWrites(failed::add);
  private final List<Batch> sent = new CopyOnWriteArrayList<>();
  private final List<Outcome> told = new CopyOnWriteArrayList<>();
  private final List<Slot> slots = new ArrayList<>();
  private WriteBuffers.Answers answers = (batch, write, failure) -> {};
  private WriteBuffers buffers = buffers(10, WriteBuffering.deferred(LARGE));

  @AfterEach
  void close() {
    buffers.close();
  }

  private WriteBuffers buffers(long roomForWrites, WriteBuffering buffering) {
    for (int i = 0; i < CLIENTS; i++) {
      slots.add(new Slot(i));
    }
    return new WriteBuffers(
        CLIENTS,
        roomForWrites * oneWrite,
        buffering,
        account,
        new Unsent(),
        failures,
        (batch, toTell) -> {
          answers = toTell;
          sent.add(batch);
        },
        System::nanoTime);
  }

  private Write write(long key) {
    return new Write(key, key, rows.put(key, 0, 1_000, key), System.nanoTime());
  }

  private void write(int client, long key) {
    Slot slot = slots.get(client);
    long operation = slot.begin((at, outcome, version) -> told.add(outcome));
    buffers.write(slot, operation, write(key));
  }

  private void awaitSent(int batches) {
    Awaitility.await().atMost(LONG).until(() -> sent.size() >= batches);
  }

  private void answer(Batch batch) {
    batch.writes().forEach(write -> answers.ended(batch, write, null));
  }

  private static List<Long> keys(Batch batch) {
    return batch.writes().stream().map(write -> write.key).toList();
  }

  @Test
  void eachClientFillsABufferOfItsOwnUnlessItIsShared() {
    buffers.set(WriteBuffering.deferred(2 * oneWrite));
    write(0, 1);
    write(1, 2);
    assertThat(sent).isEmpty();
    write(0, 3);
    awaitSent(1);
    assertThat(keys(sent.get(0))).containsExactly(1L, 3L);
    buffers.set(WriteBuffering.deferred(2 * oneWrite).sharedByAll());
    awaitSent(2);
    assertThat(keys(sent.get(1))).as("sent on the change").containsExactly(2L);
    write(0, 4);
    write(1, 5);
    awaitSent(3);
    assertThat(keys(sent.get(2))).containsExactly(4L, 5L);
  }

  @Test
  void writersWithoutRoomWaitInTheirOrderUntilABatchIsAnswered() {
    for (int key = 0; key < 10; key++) {
      write(0, key);
    }
    assertThat(told).hasSize(10).containsOnly(Outcome.OK);
    write(1, 10);
    write(2, 11);
    awaitSent(1);
    assertThat(told).as("no room").hasSize(10);
    answer(sent.get(0));
    Awaitility.await().atMost(LONG).until(() -> told.size() == 12);
    AtomicInteger done = new AtomicInteger();
    assertThat(buffers.flush(done::incrementAndGet)).isTrue();
    awaitSent(3);
    assertThat(keys(sent.get(1))).containsExactly(10L);
    assertThat(keys(sent.get(2))).containsExactly(11L);
    answer(sent.get(1));
    assertThat(done).hasValue(0);
    answer(sent.get(2));
    assertThat(done).as("told once, when all is answered").hasValue(1);
    assertThat(account.atRisk()).isZero();
    assertThat(buffers.flush(done::incrementAndGet)).as("nothing to flush").isFalse();
  }

  @Test
  void noMoreWritesAreAtRiskThanAllowed() {
    buffers.mostAtRisk(2);
    write(0, 1);
    write(1, 2);
    write(2, 3);
    awaitSent(2);
    assertThat(told).hasSize(2);
    assertThat(account.atRisk()).isEqualTo(2);
    answer(sent.get(0));
    Awaitility.await().atMost(LONG).until(() -> told.size() == 3);
    assertThat(account.atRisk()).isEqualTo(2);
  }

  @Test
  void anOldBufferIsSentByItsTimer() {
    buffers.set(
        new WriteBuffering(
            new BufferSetting(LARGE, TimeUnit.MILLISECONDS.toNanos(10)), false, false));
    write(0, 1);
    awaitSent(1);
    assertThat(keys(sent.get(0))).containsExactly(1L);
    long acknowledgedNanos = sent.get(0).writes().get(0).acknowledgedNanos;
    assertThat(System.nanoTime() - acknowledgedNanos)
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(10));
    assertThat(sent.get(0).dueNanos())
        .as("however late the timer is")
        .isEqualTo(acknowledgedNanos + TimeUnit.MILLISECONDS.toNanos(10));
  }

  @Test
  void writersThatWaitAreRefusedOnceNothingMoreIsTaken() {
    buffers.mostAtRisk(1);
    write(0, 1);
    write(1, 2);
    buffers.refuseFurther();
    write(2, 3);
    assertThat(told).containsExactly(Outcome.OK, Outcome.REFUSED, Outcome.REFUSED);
    awaitSent(1);
    assertThat(keys(sent.get(0))).containsExactly(1L);
  }

  @Test
  void whatHasNoAnswerAtTheCloseIsNamedOnceAndALateAnswerIgnored() {
    for (int key = 0; key < 3; key++) {
      write(0, key);
    }
    var unused = buffers.flush(() -> {});
    awaitSent(1);
    Batch batch = sent.get(0);
    answers.ended(batch, batch.writes().get(0), null);
    answers.ended(
        batch, batch.writes().get(1), new FailedWrite(1, 1, false, "refused by the server"));
    buffers.close();
    assertThat(failed).extracting(FailedWrite::key).containsExactly(1L, 2L);
    assertThat(failed.get(0).maybeApplied()).isFalse();
    assertThat(failed.get(1).maybeApplied()).isTrue();
    assertThat(failed.get(1).why()).contains("session closed");
    answers.ended(batch, batch.writes().get(2), null);
    assertThat(failed).hasSize(2).isEqualTo(failures.all());
    assertThat(account.atRisk()).isZero();
  }
}
