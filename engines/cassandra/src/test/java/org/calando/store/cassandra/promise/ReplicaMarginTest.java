package org.calando.store.cassandra.promise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.calando.core.store.ConsistencyLevel;
import org.calando.store.cassandra.promise.ReplicaMargin.Life;
import org.calando.store.cassandra.promise.ReplicaMargin.Range;
import org.calando.store.cassandra.promise.ReplicaMargin.Replica;
import org.junit.jupiter.api.Test;

class ReplicaMarginTest {
  private static ReplicaMargin of(Life... lives) {
    return new ReplicaMargin(Stream.of(lives).map(life -> new Replica("dc1", life)).toList());
  }

  @Test
  void whatMayFailIsWhatTheLevelDoesNotNeed() {
    ReplicaMargin all = of(Life.LIVES, Life.LIVES, Life.LIVES);
    assertThat(all.live()).isEqualTo(new Range(3, 3));
    assertThat(all.margin(ConsistencyLevel.ONE)).isEqualTo(new Range(2, 2));
    assertThat(all.margin(ConsistencyLevel.QUORUM)).isEqualTo(new Range(1, 1));
    assertThat(all.margin(ConsistencyLevel.ALL)).isEqualTo(new Range(0, 0));
    ReplicaMargin one = of(Life.LIVES, Life.AWAY, Life.UNKNOWN);
    assertThat(one.live()).isEqualTo(new Range(1, 2));
    assertThat(one.margin(ConsistencyLevel.QUORUM)).isEqualTo(new Range(-1, 0));
  }

  @Test
  void localReadsNeedTheReplicasOfEachDataCentre() {
    ReplicaMargin two =
        new ReplicaMargin(
            List.of(
                new Replica("a", Life.LIVES),
                new Replica("a", Life.LIVES),
                new Replica("a", Life.LIVES),
                new Replica("b", Life.LIVES),
                new Replica("b", Life.AWAY)));
    assertThat(two.margin(ConsistencyLevel.LOCAL_ONE)).isEqualTo(new Range(0, 0));
    assertThat(two.margin(ConsistencyLevel.EACH_QUORUM)).isEqualTo(new Range(-1, -1));
    assertThat(two.margin(ConsistencyLevel.QUORUM)).isEqualTo(new Range(1, 1));
  }
}
