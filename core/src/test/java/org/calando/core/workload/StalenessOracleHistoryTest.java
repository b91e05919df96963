package org.calando.core.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.calando.core.workload.OracleHistory.Read;
import org.calando.core.workload.OracleHistory.Shape;
import org.junit.jupiter.api.Test;

/** Compares the oracle with a brute-force judge on thousands of recorded random histories. */
class StalenessOracleHistoryTest {
  private static final int HISTORIES = 3000;

  // More than a history has keys, acknowledgements of a key, and pairs of client and key.
  private static final int MANY_KEYS = 112;
  private static final int DEEP = 256;
  private static final int MANY_PAIRS = 1024;

  private final long firstSeed = Long.getLong("calando.seed", 20_240_607L);

  @Test
  void everyAnswerIsTheBruteForceAnswerWhereTheSideTablesHoldEverything() {
    long stale = 0;
    long violations = 0;
    for (long seed = firstSeed; seed < firstSeed + HISTORIES; seed++) {
      Shape shape = shape(seed);
      StalenessOracle oracle = oracle(shape, MANY_KEYS, DEEP, MANY_PAIRS);
      OracleBruteForce truth =
          judged(seed, shape, oracle, OracleBruteForce.UNBOUNDED, OracleBruteForce.UNBOUNDED);
      Staleness found = oracle.snapshot();
      assertSame(seed, found, truth);
      assertThat(found.readYourWritesViolations()).as("seed %d", seed).isEqualTo(truth.trueRyw);
      assertThat(found.monotonicReadViolations())
          .as("seed %d", seed)
          .isEqualTo(truth.trueMonotonic);
      assertThat(found.readYourWritesCoverage()).as("seed %d", seed).isEqualTo(1.0);
      assertThat(found.monotonicReadCoverage()).as("seed %d", seed).isEqualTo(1.0);
      stale += found.staleReads();
      violations += found.readYourWritesViolations() + found.monotonicReadViolations();
    }
    assertThat(stale).as("histories have stale reads").isGreaterThan(10L * HISTORIES);
    assertThat(violations).as("histories have violations").isGreaterThan(10L * HISTORIES);
  }

  @Test
  void tinySideTablesAnswerAsMuchAsTheyKnowAndReportExactlyThat() {
    long uncovered = 0;
    long covered = 0;
    for (long seed = firstSeed; seed < firstSeed + HISTORIES; seed++) {
      Shape shape = shape(seed);
      int depth = 1 << (seed & 3);
      // One set each, so that the victim is the least recently used of the whole table.
      StalenessOracle oracle = oracle(shape, SideTableAcks.WAYS, depth, 1);
      OracleBruteForce truth =
          judged(seed, shape, oracle, SideTableAcks.WAYS, depth, pairCapacity(shape));
      Staleness found = oracle.snapshot();
      assertSame(seed, found, truth);
      assertThat(found.readYourWritesViolations())
          .as("seed %d", seed)
          .isBetween(truth.trueRyw - truth.unknownRyw, truth.trueRyw);
      assertThat(found.monotonicReadViolations())
          .as("seed %d", seed)
          .isBetween(truth.trueMonotonic - truth.unknownMonotonic, truth.trueMonotonic);
      covered += found.versionsBehind().count();
      uncovered += found.staleReads() - found.versionsBehind().count();
      uncovered += found.unknownReadYourWrites() + found.unknownMonotonicReads();
    }
    assertThat(covered).isGreaterThan(HISTORIES);
    assertThat(uncovered).isGreaterThan(HISTORIES);
  }

  @Test
  void sideTablesOfManySetsClaimNothingThatIsNotTrue() {
    for (long seed = firstSeed; seed < firstSeed + HISTORIES / 10; seed++) {
      Shape shape = new Shape(1500, 80, 10, 3, 8, 1000);
      StalenessOracle oracle = oracle(shape, 28, 4, 20);
      OracleBruteForce truth =
          judged(seed, shape, oracle, OracleBruteForce.UNBOUNDED, OracleBruteForce.UNBOUNDED);
      Staleness found = oracle.snapshot();
      assertThat(found.staleReads()).as("seed %d", seed).isEqualTo(truth.stale);
      assertThat(found.versionsBehind().count()).as("seed %d", seed).isLessThan(truth.stale);
      assertThat(truth.trueRyw)
          .as("seed %d", seed)
          .isBetween(
              found.readYourWritesViolations(),
              found.readYourWritesViolations() + found.unknownReadYourWrites());
      assertThat(truth.trueMonotonic)
          .as("seed %d", seed)
          .isBetween(
              found.monotonicReadViolations(),
              found.monotonicReadViolations() + found.unknownMonotonicReads());
    }
  }

  private static OracleBruteForce judged(
      long seed, Shape shape, StalenessOracle oracle, int keyCapacity, int depth) {
    return judged(seed, shape, oracle, keyCapacity, depth, OracleBruteForce.UNBOUNDED);
  }

  private static OracleBruteForce judged(
      long seed, Shape shape, StalenessOracle oracle, int keyCapacity, int depth, int pairs) {
    OracleHistory history = new OracleHistory(seed, shape, oracle);
    history.run();
    OracleBruteForce truth = new OracleBruteForce(history, keyCapacity, depth, pairs);
    truth.judge();
    for (Read read : history.reads) {
      assertThat(read.verdict)
          .as("seed %d, read at %d", seed, read.beganAt)
          .isEqualTo(truth.verdict(read));
    }
    assertThat(oracle.snapshot().indeterminateWrites())
        .as("seed %d", seed)
        .isEqualTo(history.writes.stream().filter(write -> write.indeterminate).count());
    return truth;
  }

  private static void assertSame(long seed, Staleness found, OracleBruteForce truth) {
    assertThat(found.reads()).as("seed %d", seed).isEqualTo(truth.checked);
    assertThat(found.staleReads()).as("seed %d", seed).isEqualTo(truth.stale);
    assertThat(found.untrackedReads()).as("seed %d", seed).isEqualTo(truth.untracked);
    assertThat(found.foreignReads()).as("seed %d", seed).isZero();
    assertThat(found.readYourWritesViolations()).as("seed %d", seed).isEqualTo(truth.ryw);
    assertThat(found.monotonicReadViolations()).as("seed %d", seed).isEqualTo(truth.monotonic);
    assertThat(found.unknownReadYourWrites()).as("seed %d", seed).isEqualTo(truth.unknownRyw);
    assertThat(found.unknownMonotonicReads()).as("seed %d", seed).isEqualTo(truth.unknownMonotonic);
    assertSame(seed, "k", found.versionsBehind(), truth.versionsBehind);
    assertSame(seed, "t", found.ageNanos(), truth.agesNanos);
    if (truth.stale > 0) {
      assertThat(found.staleCoverage())
          .as("seed %d", seed)
          .isEqualTo((double) truth.versionsBehind.size() / truth.stale);
    }
  }

  private static void assertSame(
      long seed, String what, Staleness.Distribution found, List<Long> truth) {
    assertThat(found.count()).as("seed %d, %s", seed, what).isEqualTo(truth.size());
    if (truth.isEmpty()) {
      return;
    }
    double mean = truth.stream().mapToLong(Long::longValue).sum() / (double) truth.size();
    assertThat(found.mean()).as("seed %d, %s", seed, what).isEqualTo(mean);
    assertThat(found.max())
        .as("seed %d, %s", seed, what)
        .isEqualTo(OracleBruteForce.percentile(truth, 100));
    assertPercentile(seed, what, found.p50(), OracleBruteForce.percentile(truth, 50));
    assertPercentile(seed, what, found.p99(), OracleBruteForce.percentile(truth, 99));
  }

  private static void assertPercentile(long seed, String what, long found, long truth) {
    assertThat(Math.abs(found - truth))
        .as("seed %d, error of a percentile of %s", seed, what)
        .isLessThanOrEqualTo(truth / 128);
  }

  /** Few keys, clients and slots, differently for each seed; some keys beyond the bound. */
  private static Shape shape(long seed) {
    Random random = new Random(seed * 31);
    int keys = 1 + random.nextInt(16);
    int untrackedFrom = random.nextInt(4) == 0 ? Math.max(1, keys - 2) : 1000;
    return new Shape(
        100 + random.nextInt(200),
        keys,
        random.nextInt(keys + 1),
        1 + random.nextInt(4),
        1 + random.nextInt(8),
        untrackedFrom);
  }

  private static StalenessOracle oracle(
      Shape shape, int keyEntries, int depth, int perClientEntries) {
    return new StalenessOracle(
        new StalenessOracle.Config(
            shape.untrackedFrom(),
            shape.slots(),
            shape.clients(),
            keyEntries,
            depth,
            perClientEntries));
  }

  private static int pairCapacity(Shape shape) {
    assertThat(shape.clients()).as("one set holds an entry a client").isLessThan(ClientTable.WAYS);
    return ClientTable.WAYS;
  }
}
