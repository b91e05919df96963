package org.calando.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplicaPlacementTest {
  private static final ReplicaPlacement TWO =
      new ReplicaPlacement(Map.of("east", 3, "west", 2), "east");

  @Test
  void oneDataCentreIsTheTextbook() {
    for (int rf = 1; rf <= 5; rf++) {
      ReplicaPlacement placement = ReplicaPlacement.single(rf);
      for (ConsistencyLevel read : ConsistencyLevel.values()) {
        for (ConsistencyLevel write : ConsistencyLevel.values()) {
          if (read.replicas(rf) <= rf && write.replicas(rf) <= rf) {
            assertThat(placement.isStrong(read, write))
                .as("%s after %s of %d", read, write, rf)
                .isEqualTo(read.replicas(rf) + write.replicas(rf) > rf);
          }
        }
      }
    }
  }

  @Test
  void quorumsOfOneDataCentreMeetOnlyThere() {
    assertThat(strong(ConsistencyLevel.LOCAL_QUORUM, ConsistencyLevel.LOCAL_QUORUM)).isTrue();
    assertThat(strong(ConsistencyLevel.LOCAL_QUORUM, ConsistencyLevel.EACH_QUORUM)).isTrue();
    assertThat(strong(ConsistencyLevel.LOCAL_QUORUM, ConsistencyLevel.QUORUM)).isFalse();
    assertThat(strong(ConsistencyLevel.QUORUM, ConsistencyLevel.LOCAL_QUORUM)).isFalse();
    assertThat(strong(ConsistencyLevel.LOCAL_ONE, ConsistencyLevel.EACH_QUORUM)).isFalse();
  }

  private static boolean strong(ConsistencyLevel read, ConsistencyLevel write) {
    return TWO.isStrong(read, write);
  }

  /** Against every way in which replicas could answer. */
  @Test
  void strongMeansThatNoTwoSetsOfReplicasCanMiss() {
    List<int[]> all = new ArrayList<>();
    for (int east = 0; east <= 3; east++) {
      for (int west = 0; west <= 2; west++) {
        all.add(new int[] {east, west});
      }
    }
    for (ConsistencyLevel read : ConsistencyLevel.values()) {
      for (ConsistencyLevel write : ConsistencyLevel.values()) {
        boolean canMiss = false;
        for (int[] r : all) {
          for (int[] w : all) {
            canMiss |=
                satisfies(read, r) && satisfies(write, w) && r[0] + w[0] <= 3 && r[1] + w[1] <= 2;
          }
        }
        assertThat(TWO.isStrong(read, write)).as("%s after %s", read, write).isEqualTo(!canMiss);
      }
    }
  }

  private static boolean satisfies(ConsistencyLevel level, int[] answers) {
    int total = answers[0] + answers[1];
    return switch (level) {
      case ONE -> total >= 1;
      case TWO -> total >= 2;
      case THREE, QUORUM -> total >= 3;
      case ALL -> total == 5;
      case LOCAL_ONE -> answers[0] >= 1;
      case LOCAL_QUORUM -> answers[0] >= 2;
      case EACH_QUORUM -> answers[0] >= 2 && answers[1] >= 2;
    };
  }

  @Test
  void countsAreThoseOfTheLevelsOwnDataCentres() {
    assertThat(TWO.total()).isEqualTo(5);
    assertThat(TWO.among(ConsistencyLevel.LOCAL_QUORUM)).isEqualTo(3);
    assertThat(TWO.involved(ConsistencyLevel.LOCAL_QUORUM)).isEqualTo(2);
    assertThat(TWO.involved(ConsistencyLevel.EACH_QUORUM)).isEqualTo(4);
    assertThat(TWO.involved(ConsistencyLevel.QUORUM)).isEqualTo(3);
  }

  @Test
  void anUnknownLocalDataCentreIsRefused() {
    assertThatThrownBy(() -> new ReplicaPlacement(Map.of("east", 1), "west"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
