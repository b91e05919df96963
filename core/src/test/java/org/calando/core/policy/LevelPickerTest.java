package org.calando.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.junit.jupiter.api.Test;

class LevelPickerTest {
  private static final long SEED = Long.getLong("calando.seed", 20120924L);

  private static LevelPicker ofThree() {
    return new LevelPicker(
        ReadLevels.plain(3),
        SafeLevel.weakest(ReplicaPlacement.single(3), ConsistencyLevel.ONE, false));
  }

  private static int above(LevelPicker picker, int reads) {
    int above = 0;
    for (int i = 0; i < reads; i++) {
      above += picker.next() == ConsistencyLevel.QUORUM ? 1 : 0;
    }
    return above;
  }

  @Test
  void itIsSafeUntilSomebodyDecides() {
    assertThat(ofThree().next()).isEqualTo(ConsistencyLevel.ALL);
    assertThat(ofThree().choice()).isEqualTo(ReadChoice.of(3));
  }

  @Test
  void aPlainChoiceIsTheSameForEveryRead() {
    LevelPicker picker = ofThree();
    picker.set(ReadChoice.of(2));
    for (int i = 0; i < 1000; i++) {
      assertThat(picker.next()).isEqualTo(ConsistencyLevel.QUORUM);
    }
  }

  @Test
  void aShareIsMetInAnyRunOfReadsToWithinAFew() {
    Random random = new Random(SEED);
    for (int i = 0; i < 300; i++) {
      double share = i < 10 ? 1e-4 * i : random.nextDouble();
      LevelPicker picker = ofThree();
      picker.set(new ReadChoice(1, share));
      for (int reads : new int[] {10, 100, 1000, 10_000}) {
        assertThat((double) above(picker, reads))
            .as("seed %d: %s of %d reads", SEED, share, reads)
            .isCloseTo(share * reads, within(4.0));
      }
    }
  }

  @Test
  void aShareIsMetOverManyThreads() throws InterruptedException {
    LevelPicker picker = ofThree();
    picker.set(new ReadChoice(1, 0.3));
    int reads = 20_000;
    AtomicLong above = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      threads.add(new Thread(() -> above.addAndGet(above(picker, reads))));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    // Each of the 16 counters is off by a few.
    assertThat((double) above.get()).isCloseTo(0.3 * 24 * reads, within(16 * 4.0));
  }

  @Test
  void aChangeHoldsFromTheNextReadOn() {
    LevelPicker picker = ofThree();
    picker.set(ReadChoice.of(1));
    assertThat(picker.next()).isEqualTo(ConsistencyLevel.ONE);
    picker.set(new ReadChoice(2, 0.999));
    assertThat(picker.choice()).isEqualTo(new ReadChoice(2, 0.999));
    assertThat(picker.next()).isIn(ConsistencyLevel.QUORUM, ConsistencyLevel.ALL);
    picker.set(ReadChoice.of(9));
    assertThat(picker.next()).isEqualTo(ConsistencyLevel.ALL);
  }

  @Test
  void asManyReplicasAsAreSafeAreReadAtTheSafeLevel() {
    LevelPicker picker =
        new LevelPicker(new ReadLevels(3, true), new SafeLevel(ConsistencyLevel.EACH_QUORUM, 3));
    assertThat(picker.level(1)).isEqualTo(ConsistencyLevel.LOCAL_ONE);
    assertThat(picker.level(2)).isEqualTo(ConsistencyLevel.LOCAL_QUORUM);
    assertThat(picker.level(3)).isEqualTo(ConsistencyLevel.EACH_QUORUM);
    LevelPicker beyond =
        new LevelPicker(new ReadLevels(1, true), new SafeLevel(ConsistencyLevel.QUORUM, 2));
    assertThat(beyond.level(1)).isEqualTo(ConsistencyLevel.LOCAL_ONE);
    assertThat(beyond.level(2)).isEqualTo(ConsistencyLevel.QUORUM);
  }

  @Test
  void pickingAllocatesNothing() {
    LevelPicker picker = ofThree();
    picker.set(new ReadChoice(1, 0.5));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    int reads = 200_000;
    int seen = above(picker, reads);
    long before = threads.getThreadAllocatedBytes(id);
    seen += above(picker, reads);
    long allocated = threads.getThreadAllocatedBytes(id) - before;
    assertThat(seen).isPositive();
    // What measuring itself takes, and not a byte a read.
    assertThat(allocated).isLessThan(reads / 10L);
  }
}
