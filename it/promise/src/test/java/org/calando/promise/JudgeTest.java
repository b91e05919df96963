package org.calando.promise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.calando.promise.Judge.Finding;
import org.junit.jupiter.api.Test;

class JudgeTest {
  private static final long NEVER = WriteEntry.NEVER;

  private static WriteEntry write(long version, long sent, long acknowledged) {
    return new WriteEntry(7, version, sent, acknowledged, NEVER, "");
  }

  private static WriteEntry gone(long version, long sent, long acknowledged, long gone) {
    return new WriteEntry(7, version, sent, acknowledged, gone, "");
  }

  private static ReadEntry read(long version, long started, long ended) {
    return new ReadEntry("adaptive", 7, version, started, ended, "ONE", "");
  }

  @Test
  void aReadIsStaleIfItReturnsLessThanWasAcknowledgedBeforeItBegan() {
    Judge judge = new Judge(List.of(write(1, 10, 20), write(2, 30, 40)));
    assertThat(judge.judge(read(0, 20, 50))).isEqualTo(Finding.FRESH);
    assertThat(judge.judge(read(0, 21, 50))).isEqualTo(Finding.STALE);
    assertThat(judge.judge(read(1, 40, 50))).isEqualTo(Finding.FRESH);
    assertThat(judge.judge(read(1, 41, 50))).isEqualTo(Finding.STALE);
    assertThat(judge.judge(read(2, 41, 50))).isEqualTo(Finding.FRESH);
  }

  @Test
  void anOlderWriteThatIsAcknowledgedLaterDemandsNoMore() {
    Judge judge = new Judge(List.of(write(1, 10, 100), write(2, 20, 30)));
    assertThat(judge.judge(read(1, 50, 60))).isEqualTo(Finding.STALE);
    assertThat(judge.judge(read(2, 150, 160))).isEqualTo(Finding.FRESH);
  }

  @Test
  void aWriteThatFailedMayBeThereOrNot() {
    Judge judge = new Judge(List.of(write(1, 10, 20), write(2, 30, NEVER), write(3, 60, 70)));
    assertThat(judge.judge(read(1, 50, 55))).isEqualTo(Finding.FRESH);
    assertThat(judge.judge(read(2, 50, 55))).isEqualTo(Finding.FRESH);
    assertThat(judge.judge(read(2, 80, 85))).isEqualTo(Finding.STALE);
  }

  @Test
  void aRowThatWasDeletedIsAbsentRightly() {
    Judge judge = new Judge(List.of(write(1, 10, 20), gone(2, 30, 40, 30), write(3, 60, 70)));
    assertThat(judge.judge(read(ReadEntry.NOTHING, 21, 29))).isEqualTo(Finding.STALE);
    assertThat(judge.judge(read(ReadEntry.NOTHING, 21, 30))).isEqualTo(Finding.FRESH);
    assertThat(judge.judge(read(1, 45, 46))).as("deleted before").isEqualTo(Finding.STALE);
    assertThat(judge.judge(read(ReadEntry.NOTHING, 65, 66))).isEqualTo(Finding.FRESH);
    assertThat(judge.judge(read(ReadEntry.NOTHING, 71, 72))).isEqualTo(Finding.STALE);
  }

  @Test
  void aRowWithALimitedLifeIsAbsentFromItsEarliestEndOn() {
    Judge judge = new Judge(List.of(write(1, 10, 20), gone(2, 30, 40, 1030)));
    assertThat(judge.judge(read(ReadEntry.NOTHING, 500, 510))).isEqualTo(Finding.STALE);
    assertThat(judge.judge(read(ReadEntry.NOTHING, 1025, 1030))).isEqualTo(Finding.FRESH);
    assertThat(judge.judge(read(1, 2000, 2010))).as("it came back").isEqualTo(Finding.STALE);
  }

  @Test
  void aRowThatWasNeverWrittenHasItsFirstVersion() {
    Judge judge = new Judge(List.of());
    assertThat(judge.judge(read(0, 1, 2))).isEqualTo(Finding.FRESH);
    assertThat(judge.judge(read(ReadEntry.NOTHING, 1, 2))).isEqualTo(Finding.STALE);
  }

  @Test
  void booksThatLackAWriteAreFound() {
    Judge judge = new Judge(List.of(write(2, 30, 40)));
    assertThat(judge.judge(read(1, 50, 60))).isEqualTo(Finding.IMPOSSIBLE);
    assertThat(judge.judge(read(2, 10, 20))).as("not sent yet").isEqualTo(Finding.IMPOSSIBLE);
    assertThatThrownBy(() -> new Judge(List.of(write(2, 30, 40), write(2, 50, 60))))
        .hasMessageContaining("twice");
  }

  /** Against the definition, spelt out. */
  @Test
  void randomBooksAreJudgedByTheDefinition() {
    long seed = 20261123;
    SplittableRandom random = new SplittableRandom(seed);
    for (int book = 0; book < 200; book++) {
      List<WriteEntry> writes = new ArrayList<>();
      for (int version = 1; version <= 12; version++) {
        long sent = 10L * version;
        boolean failed = random.nextInt(5) == 0;
        writes.add(write(version, sent, failed ? NEVER : sent + random.nextInt(1, 40)));
      }
      Judge judge = new Judge(writes);
      for (long started = 0; started < 170; started += 3) {
        long at = started;
        long newest =
            writes.stream()
                .filter(write -> write.acknowledged() < at)
                .mapToLong(WriteEntry::version)
                .max()
                .orElse(0);
        for (int version = 0; version <= 12; version++) {
          Finding expected =
              version * 10L > started + 2
                  ? Finding.IMPOSSIBLE
                  : version < newest ? Finding.STALE : Finding.FRESH;
          assertThat(judge.judge(read(version, started, started + 2)))
              .as("seed %d, book %d, version %d at %d", seed, book, version, started)
              .isEqualTo(version == 0 && newest == 0 ? Finding.FRESH : expected);
        }
      }
    }
  }
}
