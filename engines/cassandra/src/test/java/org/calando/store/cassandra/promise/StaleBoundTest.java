package org.calando.store.cassandra.promise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.junit.jupiter.api.Test;

class StaleBoundTest {
  private static final long TENTH = 100_000_000;
  private static final ReplicaPlacement ONE_CENTRE = ReplicaPlacement.single(3);
  private static final ReplicaPlacement TWO_CENTRES =
      new ReplicaPlacement(Map.of("a", 3, "b", 3), "a");

  private static StaleBound bound(ConsistencyLevel reads, ConsistencyLevel writes, long lag) {
    return new StaleBound(CassandraPromisesTest.clients(reads, writes, lag));
  }

  @Test
  void localReadsMissWhatAnotherDataCentreWrote() {
    StaleBound local = bound(ConsistencyLevel.LOCAL_QUORUM, ConsistencyLevel.LOCAL_QUORUM, TENTH);
    assertThat(local.isStrong(ONE_CENTRE)).isTrue();
    assertThat(local.isStrong(TWO_CENTRES)).isFalse();
    StaleBound.Share share = local.of(TWO_CENTRES, StaleBound.Off.NONE, Optional.empty(), 1);
    assertThat(share.low()).isZero();
    assertThat(share.high())
        .as("none of its replicas surely has what is under way")
        .isCloseTo(1 - Math.exp(-0.1), Offset.offset(1e-9));
  }

  @Test
  void whatNobodyDeclaredOfOtherDataCentresIsUnknown() {
    StaleBound local = bound(ConsistencyLevel.LOCAL_QUORUM, ConsistencyLevel.LOCAL_QUORUM, -1);
    assertThat(local.of(TWO_CENTRES, StaleBound.Off.NONE, Optional.empty(), 1))
        .isEqualTo(StaleBound.Share.ANY);
    assertThat(local.of(ONE_CENTRE, StaleBound.Off.NONE, Optional.empty(), 1))
        .isEqualTo(new StaleBound.Share(0, 0));
  }

  @Test
  void levelsThatMeetInEachDataCentreAreStrong() {
    assertThat(
            bound(ConsistencyLevel.LOCAL_QUORUM, ConsistencyLevel.EACH_QUORUM, -1)
                .isStrong(TWO_CENTRES))
        .isTrue();
    assertThat(
            bound(ConsistencyLevel.EACH_QUORUM, ConsistencyLevel.LOCAL_QUORUM, -1)
                .isStrong(TWO_CENTRES))
        .isTrue();
    assertThat(bound(ConsistencyLevel.LOCAL_ONE, ConsistencyLevel.ALL, -1).isStrong(TWO_CENTRES))
        .isTrue();
  }

  @Test
  void aQuorumOfAllMayBeElsewhere() {
    // 4 of 6 acknowledge: 1 of the 3 here has the write, so 2 of 3 reads at one may miss it.
    assertThat(
            bound(ConsistencyLevel.LOCAL_ONE, ConsistencyLevel.QUORUM, TENTH)
                .of(TWO_CENTRES, StaleBound.Off.NONE, Optional.empty(), 1)
                .high())
        .isCloseTo(2.0 / 3 * (1 - Math.exp(-0.1)), Offset.offset(1e-9));
    assertThat(
            bound(ConsistencyLevel.LOCAL_ONE, ConsistencyLevel.TWO, TENTH)
                .of(TWO_CENTRES, StaleBound.Off.NONE, Optional.empty(), 1)
                .high())
        .isCloseTo(1 - Math.exp(-0.1), Offset.offset(1e-9));
  }

  /** Two of three replicas are on: both acknowledge a quorum, so a read at ONE meets it. */
  @Test
  void levelsMeetAmongTheReplicasThatAreOn() {
    StaleBound.Off one = new StaleBound.Off(1, 1);
    assertThat(
            bound(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM, TENTH)
                .of(ONE_CENTRE, one, Optional.empty(), 1))
        .isEqualTo(new StaleBound.Share(0, 0));
    assertThat(
            bound(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM, TENTH)
                .of(ONE_CENTRE, new StaleBound.Off(0, 1), Optional.empty(), 1))
        .as("ranges of which all replicas are on")
        .isEqualTo(StaleBound.Share.ANY);
    assertThat(
            bound(ConsistencyLevel.ONE, ConsistencyLevel.ONE, TENTH)
                .of(ONE_CENTRE, one, Optional.empty(), 1))
        .isEqualTo(StaleBound.Share.ANY);
    assertThat(
            bound(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM, TENTH)
                .of(TWO_CENTRES, one, Optional.empty(), 1))
        .isEqualTo(StaleBound.Share.ANY);
  }
}
