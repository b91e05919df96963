package org.calando.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadLevelsTest {
  private static final Set<ConsistencyLevel> PLAIN =
      EnumSet.range(ConsistencyLevel.ONE, ConsistencyLevel.ALL);

  @ParameterizedTest
  @CsvSource({
    "1, ONE",
    "2, ONE QUORUM",
    "3, ONE QUORUM ALL",
    "4, ONE TWO QUORUM ALL",
    "5, ONE TWO QUORUM ALL ALL",
    "6, ONE TWO THREE QUORUM ALL ALL",
    "7, ONE TWO THREE QUORUM ALL ALL ALL",
  })
  void aQuorumIsCalledSoAndWhatHasNoLevelTakesTheNextStronger(int rf, String levels) {
    assertThat(names(ReadLevels.plain(rf))).isEqualTo(levels);
  }

  @ParameterizedTest
  @CsvSource({
    "1, LOCAL_ONE",
    "2, LOCAL_ONE LOCAL_QUORUM",
    "3, LOCAL_ONE LOCAL_QUORUM ALL",
    "4, LOCAL_ONE LOCAL_QUORUM LOCAL_QUORUM ALL",
    "5, LOCAL_ONE LOCAL_QUORUM LOCAL_QUORUM ALL ALL",
    "6, LOCAL_ONE LOCAL_QUORUM LOCAL_QUORUM LOCAL_QUORUM ALL ALL",
    "7, LOCAL_ONE LOCAL_QUORUM LOCAL_QUORUM LOCAL_QUORUM ALL ALL ALL",
  })
  void ofTheLocalLevelsThereAreTwo(int rf, String levels) {
    assertThat(names(new ReadLevels(rf, true))).isEqualTo(levels);
  }

  private static String names(ReadLevels levels) {
    return IntStream.rangeClosed(1, levels.replicas())
        .mapToObj(read -> levels.level(read).name())
        .collect(Collectors.joining(" "));
  }

  @Test
  void noWeakerLevelAsksAsManyReplicas() {
    for (int rf = 1; rf <= 20; rf++) {
      ReadLevels levels = ReadLevels.plain(rf);
      for (int read = 1; read <= rf; read++) {
        int replicas = rf;
        int wanted = read;
        int fewest =
            PLAIN.stream()
                .mapToInt(level -> level.replicas(replicas))
                .filter(asked -> asked >= wanted)
                .min()
                .orElseThrow();
        assertThat(levels.asked(read)).as("%d of %d", read, rf).isEqualTo(fewest);
        assertThat(levels.level(read).replicas(rf)).isEqualTo(fewest);
      }
    }
  }

  @Test
  void localLevelsAskAtLeastAsManyLocalReplicas() {
    for (int rf = 1; rf <= 20; rf++) {
      for (int read = 1; read <= rf; read++) {
        assertThat(new ReadLevels(rf, true).asked(read)).isBetween(read, rf);
      }
    }
  }

  @Test
  void twoAndThreeOnlyStandWhereTheyAreNoQuorum() {
    for (int rf = 1; rf <= 20; rf++) {
      ReadLevels levels = ReadLevels.plain(rf);
      int quorum = rf / 2 + 1;
      assertThat(levels.level(quorum))
          .isEqualTo(rf == 1 ? ConsistencyLevel.ONE : ConsistencyLevel.QUORUM);
      assertThat(Arrays.asList(ConsistencyLevel.TWO, ConsistencyLevel.THREE))
          .doesNotContain(levels.level(quorum));
    }
  }

  @Test
  void theMeanCountsReplicasThatAreReallyAsked() {
    assertThat(ReadLevels.plain(3).mean(ReadChoice.of(2))).isEqualTo(2);
    assertThat(ReadLevels.plain(3).mean(new ReadChoice(1, 0.25))).isCloseTo(1.25, within(1e-12));
    // One more than a quorum of 7 is read at ALL.
    assertThat(ReadLevels.plain(7).mean(new ReadChoice(4, 0.5))).isCloseTo(5.5, within(1e-12));
  }

  @Test
  void aReadAsksSomebody() {
    assertThatThrownBy(() -> ReadLevels.plain(3).level(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ReadLevels.plain(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
