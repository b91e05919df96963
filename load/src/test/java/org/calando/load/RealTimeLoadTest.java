package org.calando.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.load.TestRun.SECOND;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.time.RealTimeScheduler;
import org.calando.core.workload.Mix;
import org.calando.core.workload.StalenessOracle;
import org.calando.core.workload.Workload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Slots change hands between threads that really run at the same time. */
class RealTimeLoadTest {
  private final ExecutorService threads = Executors.newFixedThreadPool(3);
  private final RealTimeScheduler scheduler = new RealTimeScheduler("load-test");
  private final RealTimeScheduler housekeeping = new RealTimeScheduler("load-test-housekeeping");

  @AfterEach
  void close() throws InterruptedException {
    threads.shutdown();
    assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    scheduler.close();
    housekeeping.close();
  }

  @Test
  void closedLoopOnManyThreadsLosesNothing() throws InterruptedException {
    LoadResult result = run(new Loop.Closed(50), 100_000);
    assertThat(result.reason()).isEqualTo(EndReason.OPERATIONS_DONE);
    assertThat(result.operations()).isEqualTo(100_000);
    assertThat(result.warmupOperations()).isEqualTo(1000);
  }

  @Test
  void openLoopOnManyThreadsLosesNothing() throws InterruptedException {
    LoadResult result = run(new Loop.Open(ArrivalProcess.poisson(1_000_000), 16, 8), 100_000);
    assertThat(result.reason()).isEqualTo(EndReason.OPERATIONS_DONE);
    assertThat(result.operations()).isEqualTo(100_000);
    assertThat(result.backlog().intended()).isEqualTo(100_000);
  }

  @Test
  void stopFromAnotherThreadEndsTheRun() throws InterruptedException {
    LoadRun run = prepare(new Loop.Closed(50), Long.MAX_VALUE / 2);
    run.start();
    assertThat(run.awaitNanos(SECOND / 20)).isFalse();
    run.stop();
    assertThat(run.awaitNanos(20 * SECOND)).isTrue();
    assertThat(run.result().reason()).isEqualTo(EndReason.STOPPED);
    assertThat(run.result().unanswered()).isZero();
  }

  private LoadResult run(Loop loop, long operations) throws InterruptedException {
    LoadRun run = prepare(loop, operations);
    run.start();
    assertThat(run.awaitNanos(60 * SECOND)).isTrue();
    return run.result();
  }

  private LoadRun prepare(Loop loop, long operations) {
    Workload workload = TestRun.workload(new Mix(0.4, 0.3, 0.1, 0.1, 0.1));
    StalenessOracle oracle =
        new StalenessOracle(StalenessOracle.Config.of(1 << 22, loop.slots(), loop.clients()));
    return new LoadRun(
        TestRun.spec(workload, loop).operations(operations).warmupOperations(1000).build(),
        new PoolSession(loop.slots()),
        oracle,
        new Recorder(interval -> {}),
        scheduler,
        housekeeping);
  }

  /** Answers from a pool's threads, every seventh request at once. */
  private final class PoolSession implements Session {
    private final int slots;

    PoolSession(int slots) {
      this.slots = slots;
    }

    @Override
    public int slots() {
      return slots;
    }

    @Override
    public void read(int slot, long key, int field, ConsistencyLevel level, Completion completion) {
      answer(slot, key, Outcome.NOT_FOUND, completion);
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
      answer(slot, key, Outcome.OK, completion);
    }

    @Override
    public void scan(
        int slot, long key, int count, int field, ConsistencyLevel level, Completion completion) {
      answer(slot, key, Outcome.OK, completion);
    }

    @Override
    public void close() {}

    private void answer(int slot, long key, Outcome outcome, Completion completion) {
      if (key % 7 == 0) {
        completion.complete(slot, outcome, NO_VERSION);
      } else {
        threads.execute(() -> completion.complete(slot, outcome, NO_VERSION));
      }
    }
  }
}
