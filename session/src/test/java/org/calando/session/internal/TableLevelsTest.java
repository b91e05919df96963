package org.calando.session.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.core.store.ConsistencyLevel.ALL;
import static org.calando.core.store.ConsistencyLevel.LOCAL_ONE;
import static org.calando.core.store.ConsistencyLevel.LOCAL_QUORUM;
import static org.calando.core.store.ConsistencyLevel.ONE;
import static org.calando.core.store.ConsistencyLevel.QUORUM;
import static org.calando.core.store.ConsistencyLevel.TWO;

import java.util.Map;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ReplicaPlacement;
import org.junit.jupiter.api.Test;

class TableLevelsTest {
  private static final ReplicaPlacement THREE = ReplicaPlacement.single(3);
  private static final ReplicaPlacement TWICE_THREE =
      new ReplicaPlacement(Map.of("a", 3, "b", 3), "a");

  @Test
  void weakerWritesMakeTheSafeLevelStronger() {
    TableLevels levels = TableLevels.of(THREE, QUORUM, false);
    assertThat(levels.safe().level()).isEqualTo(QUORUM);
    assertThat(levels.isWeaker(ALL)).isFalse();
    assertThat(levels.isWeaker(TWO)).isFalse();
    assertThat(levels.isWeaker(LOCAL_QUORUM)).isFalse();
    assertThat(levels.isWeaker(ONE)).isTrue();
    assertThat(levels.weakened(ONE).safe().level()).isEqualTo(ALL);
    assertThat(levels.weakened(ALL)).isEqualTo(levels);
  }

  @Test
  void replicasAreThoseOfTheLocalDataCentreForLocalLevels() {
    TableLevels levels = TableLevels.of(TWICE_THREE, LOCAL_QUORUM, true);
    assertThat(levels.replicas()).isEqualTo(3);
    assertThat(levels.writeReplicas()).isEqualTo(2);
    assertThat(levels.safe().level()).isEqualTo(LOCAL_QUORUM);
    // As many replicas, but perhaps none of them here.
    assertThat(levels.isWeaker(TWO)).isTrue();
    assertThat(TableLevels.of(TWICE_THREE, QUORUM, true).writeReplicas()).isEqualTo(1);
  }

  @Test
  void theFallbackIsSafeAndAQuorumAtMostUnlessFreshnessComesFirst() {
    TableLevels one = TableLevels.of(THREE, ONE, false);
    assertThat(one.picker().level(one.fallback(false).replicas())).isEqualTo(QUORUM);
    assertThat(one.picker().level(one.fallback(true).replicas())).isEqualTo(ALL);
    TableLevels all = TableLevels.of(THREE, ALL, false);
    assertThat(all.picker().level(all.fallback(false).replicas())).isEqualTo(ONE);
  }

  @Test
  void levelsOfOneDataCentreStayInIt() {
    TableLevels levels = TableLevels.of(TWICE_THREE, LOCAL_ONE, true);
    assertThat(levels.safe().level()).isEqualTo(ALL);
    assertThat(levels.picker().level(levels.fallback(false).replicas())).isEqualTo(LOCAL_QUORUM);
    assertThat(levels.withinDataCentre(ReadChoice.of(3))).isEqualTo(ReadChoice.of(2));
    assertThat(levels.withinDataCentre(new ReadChoice(2, 0.1))).isEqualTo(ReadChoice.of(2));
    assertThat(levels.withinDataCentre(new ReadChoice(1, 0.1))).isEqualTo(new ReadChoice(1, 0.1));
    TableLevels alone = TableLevels.of(THREE, LOCAL_ONE, true);
    assertThat(alone.withinDataCentre(ReadChoice.of(3))).isEqualTo(ReadChoice.of(3));
  }

  @Test
  void anythingIsWeakerThanWhatMeetsSafeReads() {
    TableLevels levels = TableLevels.of(THREE, ALL, true);
    assertThat(levels.safe().level()).isEqualTo(LOCAL_ONE);
    assertThat(levels.isWeaker(QUORUM)).isTrue();
  }
}
