package org.calando.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.junit.jupiter.api.Test;

class SafeLevelTest {
  /** Every replication factor of 1 to 7 alone, and beside another data centre of 1 to 4. */
  private static List<ReplicaPlacement> placements() {
    List<ReplicaPlacement> all = new ArrayList<>();
    for (int here = 1; here <= 7; here++) {
      all.add(ReplicaPlacement.single(here));
      for (int there = 1; there <= 4; there++) {
        all.add(new ReplicaPlacement(Map.of("east", here, "west", there), "east"));
      }
    }
    return all;
  }

  private static boolean isLocal(ConsistencyLevel level) {
    return level == ConsistencyLevel.LOCAL_ONE || level == ConsistencyLevel.LOCAL_QUORUM;
  }

  private static boolean canBeMet(ReplicaPlacement placement, ConsistencyLevel level) {
    return placement.involved(level) <= placement.among(level);
  }

  @Test
  void itIsStrongAndNoLevelThatAsksFewerReplicasIs() {
    int checked = 0;
    for (ReplicaPlacement placement : placements()) {
      for (ConsistencyLevel write : ConsistencyLevel.values()) {
        for (boolean local : new boolean[] {false, true}) {
          if (!canBeMet(placement, write)) {
            continue;
          }
          ConsistencyLevel safe = SafeLevel.weakest(placement, write, local).level();
          String what = "%s after %s, %s".formatted(safe, write, placement);
          assertThat(placement.isStrong(safe, write)).as(what).isTrue();
          assertThat(canBeMet(placement, safe)).as(what).isTrue();
          assertThat(local || !isLocal(safe)).as(what).isTrue();
          for (ConsistencyLevel read : ConsistencyLevel.values()) {
            if ((local || !isLocal(read))
                && placement.involved(read) < placement.involved(safe)
                && canBeMet(placement, read)) {
              assertThat(placement.isStrong(read, write)).as(what + ", not " + read).isFalse();
            }
          }
          checked++;
        }
      }
    }
    assertThat(checked).isGreaterThan(400);
  }

  @Test
  void inOneDataCentreItReadsAllButTheWrittenAndOneOfThem() {
    for (int rf = 1; rf <= 7; rf++) {
      ReplicaPlacement placement = ReplicaPlacement.single(rf);
      for (ConsistencyLevel write : ConsistencyLevel.values()) {
        if (canBeMet(placement, write) && !isLocal(write)) {
          SafeLevel safe = SafeLevel.weakest(placement, write, false);
          int meeting = rf - write.replicas(rf) + 1;
          ReadLevels levels = ReadLevels.plain(rf);
          assertThat(safe)
              .as("%s of %d", write, rf)
              .isEqualTo(new SafeLevel(levels.level(meeting), levels.asked(meeting)));
        }
      }
    }
  }

  @Test
  void readsAreAtAllWhereWritesAreAtOne() {
    assertThat(SafeLevel.weakest(ReplicaPlacement.single(3), ConsistencyLevel.ONE, false))
        .isEqualTo(new SafeLevel(ConsistencyLevel.ALL, 3));
    assertThat(SafeLevel.weakest(ReplicaPlacement.single(3), ConsistencyLevel.ALL, false))
        .isEqualTo(new SafeLevel(ConsistencyLevel.ONE, 1));
    assertThat(SafeLevel.weakest(ReplicaPlacement.single(3), ConsistencyLevel.LOCAL_QUORUM, true))
        .isEqualTo(new SafeLevel(ConsistencyLevel.LOCAL_QUORUM, 2));
  }

  @Test
  void whereLocalLevelsDoNotHoldAnotherIsTaken() {
    ReplicaPlacement two = new ReplicaPlacement(Map.of("east", 3, "west", 3), "east");
    assertThat(SafeLevel.weakest(two, ConsistencyLevel.LOCAL_QUORUM, true).level())
        .isEqualTo(ConsistencyLevel.LOCAL_QUORUM);
    assertThat(SafeLevel.weakest(two, ConsistencyLevel.QUORUM, true).level())
        .isEqualTo(ConsistencyLevel.THREE);
    assertThat(SafeLevel.weakest(two, ConsistencyLevel.ONE, true).level())
        .isEqualTo(ConsistencyLevel.ALL);
  }

  /**
   * So that a policy which asks for fewer replicas never gets the safe level, and one which asks
   * for as many always gets a strong one.
   */
  @Test
  void itsReplicasAreTheFewestWhoseLevelIsStrong() {
    for (ReplicaPlacement placement : placements()) {
      for (ConsistencyLevel write : ConsistencyLevel.values()) {
        for (boolean local : new boolean[] {false, true}) {
          if (!canBeMet(placement, write)) {
            continue;
          }
          int among = placement.among(local ? ConsistencyLevel.LOCAL_ONE : ConsistencyLevel.ONE);
          ReadLevels levels = new ReadLevels(among, local);
          SafeLevel safe = SafeLevel.weakest(placement, write, local);
          LevelPicker picker = new LevelPicker(levels, safe);
          assertThat(picker.next()).isEqualTo(safe.level());
          assertThat(safe.replicas()).isBetween(1, among + 1);
          for (int read = safe.replicas(); read <= among + 1; read++) {
            assertThat(placement.isStrong(picker.level(read), write))
                .as("%d at %s after %s of %s", read, picker.level(read), write, placement)
                .isTrue();
          }
        }
      }
    }
  }

  @Test
  void writesThatCannotBeMetAreRefused() {
    assertThatThrownBy(
            () -> SafeLevel.weakest(ReplicaPlacement.single(2), ConsistencyLevel.THREE, false))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("THREE cannot be met by 2 replicas");
  }
}
