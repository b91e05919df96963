package org.calando.core.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.workload.StalenessOracle.Config;
import org.junit.jupiter.api.Test;

class StalenessOracleStressTest {
  private static final int THREADS = 4;
  private static final int OPERATIONS = 200_000;

  private final long seed = Long.getLong("calando.seed", 7L);
  private final AtomicLong clockNanos = new AtomicLong();

  @Test
  void aLinearizableRegisterIsNeverStale() throws Exception {
    int keys = 40;
    AtomicLongArray register = new AtomicLongArray(keys);
    StalenessOracle oracle = new StalenessOracle(new Config(keys, THREADS * 4, THREADS, 7, 4, 5));
    onAllThreads(
        thread -> {
          Random random = new Random(seed + thread);
          int[] pendingKey = new int[4];
          long[] pendingVersion = new long[4];
          for (int i = 0; i < OPERATIONS; i++) {
            int own = random.nextInt(4);
            int slot = thread * 4 + own;
            if (pendingVersion[own] == 0) {
              pendingKey[own] = random.nextInt(keys);
              pendingVersion[own] = -1;
              if (random.nextBoolean()) {
                pendingVersion[own] = oracle.beginWrite(slot, thread, pendingKey[own]);
              } else {
                oracle.beginRead(slot, thread, pendingKey[own], now(), true);
              }
            } else if (pendingVersion[own] > 0) {
              register.accumulateAndGet(pendingKey[own], pendingVersion[own], Math::max);
              oracle.endWrite(slot, Outcome.OK, now());
              pendingVersion[own] = 0;
            } else {
              long version = register.get(pendingKey[own]);
              oracle.endRead(
                  slot,
                  version == 0 ? Outcome.NOT_FOUND : Outcome.OK,
                  version == 0 ? Session.NO_VERSION : version);
              pendingVersion[own] = 0;
            }
          }
        });
    Staleness found = oracle.snapshot();
    assertThat(found.reads()).as("seed %d", seed).isGreaterThan(OPERATIONS / 2);
    assertThat(found.staleReads()).as("seed %d", seed).isZero();
    assertThat(found.readYourWritesViolations()).as("seed %d", seed).isZero();
    assertThat(found.monotonicReadViolations()).as("seed %d", seed).isZero();
    assertThat(found.foreignReads()).as("seed %d", seed).isZero();
  }

  @Test
  void aReplicaThatLagsByTwoWritesIsCaughtEveryTime() throws Exception {
    int rounds = 20_000;
    int lag = 2;
    // Keys of all threads share the sets of the side tables, but each key has one writer.
    StalenessOracle oracle = new StalenessOracle(new Config(THREADS, THREADS, THREADS, 7, 4, 5));
    onAllThreads(
        thread -> {
          for (int round = 1; round <= rounds; round++) {
            long version = oracle.beginWrite(thread, thread, thread);
            oracle.endWrite(thread, Outcome.OK, version * 1_000);
            long lagging = version - lag;
            oracle.beginRead(thread, thread, thread, version * 1_000 + 500, true);
            oracle.endRead(
                thread,
                lagging > 0 ? Outcome.OK : Outcome.NOT_FOUND,
                lagging > 0 ? lagging : Session.NO_VERSION);
          }
        });
    Staleness found = oracle.snapshot();
    long all = (long) rounds * THREADS;
    assertThat(found.reads()).isEqualTo(all);
    assertThat(found.staleReads()).isEqualTo(all);
    assertThat(found.readYourWritesViolations()).isEqualTo(all);
    assertThat(found.monotonicReadViolations()).isZero();
    assertThat(found.staleCoverage()).isEqualTo(1);
    assertThat(found.versionsBehind().mean())
        .as("the first read of each thread is one version behind")
        .isEqualTo((lag * all - THREADS) / (double) all);
    assertThat(found.versionsBehind().max()).isEqualTo(lag);
    assertThat(found.ageNanos().max()).isEqualTo(1_500);
  }

  @Test
  void readersOfAReplicaThatNeverAdvancesAreAllStaleUnderContention() throws Exception {
    StalenessOracle oracle = new StalenessOracle(new Config(1, THREADS, THREADS, 7, 8, 5));
    oracle.loaded(0, 1);
    oracle.beginWrite(0, 0, 0);
    oracle.endWrite(0, Outcome.OK, now());
    AtomicLong judgedFresh = new AtomicLong();
    onAllThreads(
        thread -> {
          for (int i = 0; i < OPERATIONS / 10; i++) {
            oracle.beginWrite(thread, thread, 0);
            oracle.endWrite(thread, i % 3 == 0 ? Outcome.INDETERMINATE : Outcome.OK, now());
            oracle.beginRead(thread, thread, 0, now(), true);
            if (oracle.endRead(thread, Outcome.OK, 1) != StalenessOracle.STALE) {
              judgedFresh.incrementAndGet();
            }
          }
        });
    assertThat(judgedFresh).hasValue(0);
    Staleness found = oracle.snapshot();
    assertThat(found.staleReads()).isEqualTo((long) OPERATIONS / 10 * THREADS);
    assertThat(found.indeterminateWrites()).isEqualTo((OPERATIONS / 10 + 2) / 3 * (long) THREADS);
    assertThat(found.readYourWritesViolations())
        .as("each client's first write is indeterminate")
        .isBetween(found.staleReads() - THREADS, found.staleReads());
    assertThat(found.monotonicReadViolations()).isZero();
  }

  private long now() {
    return clockNanos.incrementAndGet();
  }

  private interface Body {
    void run(int thread);
  }

  private static void onAllThreads(Body body) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        ends.add(threads.submit(() -> body.run(thread)));
      }
      for (Future<?> end : ends) {
        end.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
