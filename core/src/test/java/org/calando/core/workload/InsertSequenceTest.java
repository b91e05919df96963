package org.calando.core.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class InsertSequenceTest {
  private static final long SEED = Long.getLong("calando.seed", 42);

  @Test
  void loadedRecordsAreAcknowledgedFromTheStart() {
    assertThat(new InsertSequence(1000).lastAcknowledged()).isEqualTo(999);
    assertThat(new InsertSequence(0).lastAcknowledged()).isEqualTo(-1);
  }

  @Test
  void keysCountUpFromTheRecords() {
    InsertSequence inserts = new InsertSequence(1000);
    assertThat(inserts.next()).isEqualTo(1000);
    assertThat(inserts.next()).isEqualTo(1001);
  }

  @Test
  void theLastAcknowledgedKeyWaitsForThoseBeforeIt() {
    InsertSequence inserts = new InsertSequence(10);
    long first = inserts.next();
    long second = inserts.next();
    long third = inserts.next();
    inserts.acknowledge(third);
    assertThat(inserts.lastAcknowledged()).isEqualTo(9);
    inserts.acknowledge(first);
    assertThat(inserts.lastAcknowledged()).isEqualTo(first);
    inserts.acknowledge(second);
    assertThat(inserts.lastAcknowledged()).isEqualTo(third);
  }

  @Test
  void anyOrderOfAcknowledgementsEndsAtTheLastKey() {
    Random random = new Random(SEED);
    InsertSequence inserts = new InsertSequence(5, 64);
    for (int round = 0; round < 1000; round++) {
      List<Long> keys = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        keys.add(inserts.next());
      }
      long last = keys.get(63);
      Collections.shuffle(keys, random);
      keys.forEach(inserts::acknowledge);
      assertThat(inserts.lastAcknowledged()).as("seed %d", SEED).isEqualTo(last);
    }
  }

  @Test
  void anInsertThatIsNeverAcknowledgedIsReportedAndNotOverwritten() {
    InsertSequence inserts = new InsertSequence(0, 64);
    for (int i = 0; i < 64; i++) {
      long key = inserts.next();
      if (key != 0) {
        inserts.acknowledge(key);
      }
    }
    assertThat(inserts.lastAcknowledged()).isEqualTo(-1);
    assertThatIllegalStateException()
        .isThrownBy(inserts::next)
        .withMessageContaining("key 0 is not acknowledged");
  }

  @Test
  void threadsGetKeysOfTheirOwnAndLeaveNoneBehind() throws Exception {
    InsertSequence inserts = new InsertSequence(100);
    int threads = 4;
    int each = 20_000;
    ConcurrentHashMap<Long, Boolean> seen = new ConcurrentHashMap<>();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        done.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    long key = inserts.next();
                    assertThat(seen.put(key, true)).isNull();
                    inserts.acknowledge(key);
                  }
                }));
      }
      for (Future<?> future : done) {
        future.get();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(seen).hasSize(threads * each);
    assertThat(inserts.lastAcknowledged()).isEqualTo(100 + (long) threads * each - 1);
  }

  @Test
  void aWorkloadWithInsertsGetsTheFullWindow() {
    Workload workload = Workload.builder().records(5).mix(new Mix(0.5, 0, 0.5, 0, 0)).build();
    InsertSequence inserts = InsertSequence.of(workload);
    for (int i = 0; i < 1000; i++) {
      assertThat(inserts.next()).isEqualTo(5 + i);
    }
    assertThat(inserts.lastAcknowledged()).isEqualTo(4);
  }

  @Test
  void aNegativeFirstKeyIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new InsertSequence(-1));
  }
}
