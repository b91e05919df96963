package org.calando.core.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.calando.core.store.Session.NO_VERSION;
import static org.calando.core.workload.StalenessOracle.FRESH;
import static org.calando.core.workload.StalenessOracle.NOT_CHECKED;
import static org.calando.core.workload.StalenessOracle.STALE;

import org.calando.core.store.Outcome;
import org.calando.core.workload.StalenessOracle.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StalenessOracleTest {
  private final StalenessOracle oracle = new StalenessOracle(new Config(100, 4, 3, 100, 8, 100));

  @Test
  void versionsOfAKeyCountFromOne() {
    assertThat(write(0, 7, Outcome.OK, 10)).isEqualTo(1);
    assertThat(write(0, 7, Outcome.FAILED, 20)).isEqualTo(2);
    assertThat(write(0, 8, Outcome.OK, 30)).isEqualTo(1);
    assertThat(write(1, 7, Outcome.OK, 40)).isEqualTo(3);
  }

  @Test
  void aLoadedRecordsNextVersionIsTwo() {
    oracle.loaded(5, 2);
    assertThat(write(0, 5, Outcome.OK, 10)).isEqualTo(2);
    assertThat(write(0, 6, Outcome.OK, 10)).isEqualTo(2);
    assertThat(write(0, 7, Outcome.OK, 10)).isEqualTo(1);
  }

  @Test
  void aLoadedRecordThatIsNotFoundIsStaleOfUnknownAge() {
    oracle.loaded(0, 10);
    oracle.beginRead(0, 0, 9, 100, true);
    assertThat(oracle.endRead(0, Outcome.NOT_FOUND, NO_VERSION)).isEqualTo(STALE);
    assertThat(oracle.snapshot().staleReads()).isEqualTo(1);
    assertThat(oracle.snapshot().staleCoverage()).isZero();
  }

  @Test
  void aReadIsJudgedByWhatWasAcknowledgedWhenItBegan() {
    write(0, 7, Outcome.OK, 10);
    oracle.beginRead(1, 1, 7, 20, true);
    write(0, 7, Outcome.OK, 30);
    assertThat(oracle.endRead(1, Outcome.OK, 1)).isEqualTo(FRESH);
    assertThat(read(1, 7, 1, 40)).isEqualTo(STALE);
  }

  @Test
  void kAndTCountAcknowledgementsInWhicheverOrderTheyArrive() {
    write(0, 7, Outcome.OK, 10);
    oracle.beginWrite(0, 0, 7);
    oracle.beginWrite(1, 0, 7);
    oracle.beginWrite(2, 0, 7);
    oracle.endWrite(2, Outcome.OK, 1_000);
    oracle.beginRead(3, 1, 7, 5_000, true);
    oracle.endWrite(0, Outcome.OK, 5_000);
    oracle.endRead(3, Outcome.OK, 1);
    assertThat(oracle.snapshot().versionsBehind().max())
        .as("version 2 arrived after the read began, 3 never")
        .isEqualTo(1);
    assertThat(oracle.snapshot().ageNanos().max()).isEqualTo(4_000);
    read(1, 7, 1, 8_000);
    assertThat(oracle.snapshot().versionsBehind().max()).isEqualTo(2);
    assertThat(oracle.snapshot().ageNanos().max())
        .as("since version 4, the first of the newer ones to be acknowledged")
        .isEqualTo(7_000);
  }

  @ParameterizedTest
  @EnumSource(
      value = Outcome.class,
      names = {"INDETERMINATE", "REFUSED", "FAILED", "NOT_FOUND"})
  void aWriteThatWasNotAcknowledgedNeverMakesAReadStale(Outcome outcome) {
    write(0, 7, Outcome.OK, 10);
    write(0, 7, outcome, 20);
    assertThat(read(0, 7, 1, 30)).isEqualTo(FRESH);
    assertThat(oracle.snapshot().readYourWritesViolations()).isZero();
    assertThat(oracle.snapshot().indeterminateWrites())
        .isEqualTo(outcome == Outcome.INDETERMINATE ? 1 : 0);
  }

  @Test
  void anIndeterminateVersionMayBeReadAndThenBindsItsReader() {
    write(0, 7, Outcome.OK, 10);
    write(0, 7, Outcome.INDETERMINATE, 20);
    assertThat(read(1, 7, 2, 30)).isEqualTo(FRESH);
    assertThat(read(1, 7, 1, 40)).isEqualTo(FRESH);
    assertThat(read(2, 7, 1, 50)).isEqualTo(FRESH);
    assertThat(oracle.snapshot().monotonicReadViolations()).isEqualTo(1);
    assertThat(oracle.snapshot().staleReads()).isZero();
  }

  @Test
  void onlyTheWriterItselfCanMissItsOwnWrite() {
    write(0, 7, Outcome.OK, 10);
    write(0, 7, Outcome.OK, 20);
    read(1, 7, 1, 30);
    assertThat(oracle.snapshot().readYourWritesViolations()).isZero();
    read(0, 7, 1, 40);
    assertThat(oracle.snapshot().readYourWritesViolations()).isEqualTo(1);
    assertThat(oracle.snapshot().staleReads()).isEqualTo(2);
  }

  @Test
  void readsThatOverlapDoNotBindEachOther() {
    write(0, 7, Outcome.OK, 10);
    oracle.beginWrite(0, 0, 7);
    oracle.beginRead(1, 1, 7, 20, true);
    oracle.beginRead(2, 1, 7, 20, true);
    oracle.endRead(1, Outcome.OK, 2);
    oracle.endRead(2, Outcome.OK, 1);
    assertThat(oracle.snapshot().monotonicReadViolations()).isZero();
  }

  @Test
  void warmUpReadsAreJudgedAndRememberedButNotCounted() {
    write(0, 7, Outcome.OK, 10);
    write(0, 7, Outcome.OK, 20);
    oracle.beginRead(0, 1, 7, 30, false);
    assertThat(oracle.endRead(0, Outcome.OK, 2)).isEqualTo(FRESH);
    oracle.beginRead(0, 1, 7, 40, false);
    assertThat(oracle.endRead(0, Outcome.OK, 1)).isEqualTo(STALE);
    assertThat(oracle.snapshot().reads()).isZero();
    read(1, 7, 1, 50);
    assertThat(oracle.snapshot().reads()).isEqualTo(1);
    assertThat(oracle.snapshot().monotonicReadViolations()).isEqualTo(1);
    assertThat(oracle.staleReads()).isEqualTo(1);
  }

  @Test
  void keysBeyondTheBoundAreCountedAsUntracked() {
    assertThat(write(0, 100, Outcome.OK, 10)).isEqualTo(2);
    assertThat(write(0, 5_000_000_000L, Outcome.OK, 10)).isEqualTo(3);
    assertThat(read(0, 100, 1, 20)).isEqualTo(NOT_CHECKED);
    write(0, 99, Outcome.OK, 30);
    assertThat(read(0, 99, 1, 40)).isEqualTo(FRESH);
    Staleness found = oracle.snapshot();
    assertThat(found.untrackedWrites()).isEqualTo(2);
    assertThat(found.untrackedReads()).isEqualTo(1);
    assertThat(found.trackedCoverage()).isEqualTo(0.5);
  }

  @Test
  void aVersionThatWasNeverIssuedIsForeignAndNotChecked() {
    write(0, 7, Outcome.OK, 10);
    assertThat(read(0, 7, 1_700_000_000_000_000L, 20)).isEqualTo(NOT_CHECKED);
    assertThat(read(0, 7, -5, 20)).isEqualTo(NOT_CHECKED);
    assertThat(read(0, 7, 1, 30)).isEqualTo(FRESH);
    assertThat(oracle.snapshot().foreignReads()).isEqualTo(2);
    assertThat(oracle.snapshot().monotonicReadViolations()).isZero();
  }

  @Test
  void aVersionIssuedWhileTheReadWasUnderWayIsNotForeign() {
    write(0, 7, Outcome.OK, 10);
    oracle.beginRead(1, 1, 7, 20, true);
    oracle.beginWrite(0, 0, 7);
    assertThat(oracle.endRead(1, Outcome.OK, 2)).isEqualTo(FRESH);
  }

  @Test
  void erroredReadsAreNotChecked() {
    write(0, 7, Outcome.OK, 10);
    oracle.beginRead(0, 0, 7, 20, true);
    assertThat(oracle.endRead(0, Outcome.INDETERMINATE, NO_VERSION)).isEqualTo(NOT_CHECKED);
    assertThat(oracle.snapshot().reads()).isZero();
  }

  @Test
  void aReadModifyWriteUsesOneSlotTwice() {
    oracle.loaded(0, 1);
    oracle.beginRead(0, 0, 0, 10, true);
    assertThat(oracle.endRead(0, Outcome.OK, 1)).isEqualTo(FRESH);
    assertThat(oracle.beginWrite(0, 0, 0)).isEqualTo(2);
    oracle.endWrite(0, Outcome.OK, 20);
    assertThat(read(0, 0, 1, 30)).isEqualTo(STALE);
  }

  @Test
  void aSlotCarriesOneOperationAtATime() {
    oracle.beginRead(0, 0, 7, 10, true);
    assertThatThrownBy(() -> oracle.beginWrite(0, 0, 7)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> oracle.endWrite(0, Outcome.OK, 20))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> oracle.endRead(1, Outcome.OK, 1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> oracle.beginRead(1, 3, 7, 20, true))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> oracle.beginRead(1, 0, -1, 20, true))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theMainTableTakesSixteenBytesAKey() {
    long keys = 1L << 20;
    StalenessOracle large = new StalenessOracle(Config.of(keys, 64, 64));
    long before = large.bytes();
    large.loaded(0, keys);
    assertThat(large.bytes() - before).isEqualTo(16 * keys);
    long references = keys / OracleVersions.CHUNK_KEYS * 8;
    long acks = 1024L * 8 * (8 + 7 * (2 + 3 * 32));
    long pairs = 8_192L * 16 * 8;
    long histograms = 2 * 8 * (128 + 56 * 64);
    assertThat(before).isEqualTo(references + acks + pairs + histograms + 64 * 256);
    large.loaded(0, 10 * keys);
    assertThat(large.bytes()).as("bounded by maxKeys").isEqualTo(before + 16 * keys);
  }

  @Test
  void memoryOfInsertedKeysComesInChunks() {
    StalenessOracle sparse = new StalenessOracle(Config.of(1L << 32, 1, 1));
    long before = sparse.bytes();
    sparse.beginWrite(0, 0, (1L << 32) - 1);
    assertThat(sparse.bytes() - before).isEqualTo(65_536);
    sparse.endWrite(0, Outcome.OK, 1);
    sparse.beginRead(0, 0, 12_345, 2, true);
    assertThat(sparse.endRead(0, Outcome.NOT_FOUND, NO_VERSION)).isEqualTo(FRESH);
    assertThat(sparse.bytes() - before).as("a read allocates nothing").isEqualTo(65_536);
  }

  @Test
  void sizesOutOfRangeAreRefusedByName() {
    assertThatThrownBy(() -> Config.of(0, 1, 1)).hasMessageContaining("maxKeys 0");
    assertThatThrownBy(() -> Config.of(1, 0, 1)).hasMessageContaining("slots 0");
    assertThatThrownBy(() -> Config.of(1, 1, 0)).hasMessageContaining("clients 0");
    assertThatThrownBy(() -> new Config(1, 1, 1, 1 << 26, 1 << 16, 1))
        .hasMessageContaining("longs of the side table");
    assertThatThrownBy(() -> new Config(1, 1, 1 << 20, 1, 1, 1 << 26))
        .hasMessageContaining("longs of the client table");
  }

  private long write(int client, long key, Outcome outcome, long nowNanos) {
    long version = oracle.beginWrite(0, client, key);
    oracle.endWrite(0, outcome, nowNanos);
    return version;
  }

  private int read(int client, long key, long version, long nowNanos) {
    int slot = 3;
    oracle.beginRead(slot, client, key, nowNanos, true);
    return oracle.endRead(slot, Outcome.OK, version);
  }
}
