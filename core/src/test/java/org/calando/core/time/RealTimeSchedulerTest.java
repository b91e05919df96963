package org.calando.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RealTimeSchedulerTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final long MILLI = 1_000_000;

  @Test
  void tasksRunInOrderOfTimeThenOfArrivalAndNeverEarly() throws InterruptedException {
    List<Integer> order = new ArrayList<>();
    List<Long> early = new ArrayList<>();
    try (RealTimeScheduler scheduler = new RealTimeScheduler("test")) {
      long start = scheduler.clock().nanos() + 20 * MILLI;
      CountDownLatch done = new CountDownLatch(100);
      // None runs before all are queued, however slow the machine is.
      CountDownLatch queued = new CountDownLatch(1);
      scheduler.at(0, () -> await().until(() -> queued.getCount() == 0));
      for (int i = 99; i >= 0; i--) {
        int number = i;
        // Two tasks share each time.
        long time = start + i / 2 * MILLI / 4;
        scheduler.at(
            time,
            () -> {
              order.add(number);
              early.add(scheduler.clock().nanos() - time);
              done.countDown();
            });
      }
      queued.countDown();
      assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    }
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < 100; i += 2) {
      expected.add(i + 1);
      expected.add(i);
    }
    assertThat(order).isEqualTo(expected);
    assertThat(early).allMatch(delay -> delay >= 0);
  }

  @Test
  void aNearerTaskIsNotHeldUpByAFartherOne() throws InterruptedException {
    try (RealTimeScheduler scheduler = new RealTimeScheduler("test")) {
      CountDownLatch done = new CountDownLatch(1);
      scheduler.at(scheduler.clock().nanos() + TimeUnit.HOURS.toNanos(1), () -> {});
      scheduler.at(scheduler.clock().nanos() + MILLI, done::countDown);
      assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aTaskThatThrowsIsKeptAndTheNextOneRuns() throws InterruptedException {
    try (RealTimeScheduler scheduler = new RealTimeScheduler("test")) {
      CountDownLatch done = new CountDownLatch(1);
      scheduler.at(
          0,
          () -> {
            throw new IllegalStateException("a defect");
          });
      scheduler.at(1, done::countDown);
      assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(scheduler.failure()).hasMessage("a defect");
    }
  }

  @Test
  void aFullOrClosedSchedulerRefuses() {
    RealTimeScheduler scheduler = new RealTimeScheduler("full-test", 2);
    long later = scheduler.clock().nanos() + TimeUnit.HOURS.toNanos(1);
    scheduler.at(later, () -> {});
    scheduler.at(later, () -> {});
    assertThatThrownBy(() -> scheduler.at(later, () -> {}))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("holds 2 tasks");
    scheduler.close();
    assertThatThrownBy(() -> scheduler.at(later, () -> {}))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("closed");
    await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("full-test")));
  }

  @Test
  void heapSortsLikeAStableSort() {
    SplittableRandom random = new SplittableRandom(SEED);
    TaskHeap heap = new TaskHeap(10_000);
    List<long[]> expected = new ArrayList<>();
    List<Long> order = new ArrayList<>();
    for (long i = 0; i < 5000; i++) {
      long number = i;
      long time = random.nextLong(500);
      expected.add(new long[] {time, number});
      assertThat(heap.add(time, () -> order.add(number))).isTrue();
    }
    expected.sort(java.util.Comparator.comparingLong(pair -> pair[0]));
    for (Runnable task = heap.poll(); task != null; task = heap.poll()) {
      task.run();
    }
    assertThat(order)
        .as("seed %d", SEED)
        .isEqualTo(expected.stream().map(pair -> pair[1]).toList());
  }
}
