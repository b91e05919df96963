package org.calando.store.cassandra.promise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.calando.core.observe.ClientUse;
import org.calando.core.observe.Promised;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;

class CassandraPromisesTest {
  static ClientUse clients(ConsistencyLevel reads, ConsistencyLevel writes, long propagation) {
    return new ClientUse(
        Optional.of(reads),
        Optional.of(writes),
        OptionalLong.empty(),
        OptionalDouble.empty(),
        propagation < 0 ? OptionalLong.empty() : OptionalLong.of(propagation),
        Optional.empty(),
        List.of());
  }

  private static boolean isMeasured(Promised promise, ClientUse clients) {
    return CassandraPromises.means(promise, clients).source().isPresent();
  }

  @Test
  void whatNothingMeasuresIsRefusedWithWhatWould() {
    assertThat(isMeasured(Promised.READ_P99, ClientUse.UNKNOWN)).isTrue();
    assertThat(isMeasured(Promised.COPIES, ClientUse.UNKNOWN)).isTrue();
    assertThat(CassandraPromises.means(Promised.SURVIVE, ClientUse.UNKNOWN).remedy())
        .contains("clients: {reads:");
    assertThat(CassandraPromises.means(Promised.STALE, ClientUse.UNKNOWN).remedy())
        .contains("clients: {reads:");
    ClientUse weak = clients(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM, -1);
    assertThat(CassandraPromises.means(Promised.STALE, weak).remedy()).contains("canary");
    assertThat(isMeasured(Promised.FRESH, weak)).isFalse();
    assertThat(isMeasured(Promised.SURVIVE, weak)).isTrue();
    ClientUse lags = clients(ConsistencyLevel.ONE, ConsistencyLevel.ONE, 20_000_000);
    assertThat(CassandraPromises.means(Promised.STALE, lags).source().orElseThrow())
        .contains("declared propagation", "keys unknown");
    ClientUse strong = clients(ConsistencyLevel.QUORUM, ConsistencyLevel.QUORUM, -1);
    assertThat(isMeasured(Promised.STALE, strong)).isTrue();
    assertThat(isMeasured(Promised.FRESH, strong)).isTrue();
  }

  @Test
  void whereNoNodeAnswersCopiesAreUnknown() {
    List<ReplicaMargin> away =
        List.of(
            new ReplicaMargin(
                List.of(
                    new ReplicaMargin.Replica("dc1", ReplicaMargin.Life.AWAY),
                    new ReplicaMargin.Replica("dc1", ReplicaMargin.Life.AWAY))));
    ClientUse clients = clients(ConsistencyLevel.ONE, ConsistencyLevel.ONE, -1);
    assertThat(CassandraPromises.replicas(away, clients, false)).isEmpty();
    assertThat(CassandraPromises.replicas(away, clients, true).get(Promised.COPIES))
        .as("other nodes answer")
        .satisfies(figure -> assertThat(figure.high()).isZero());
    assertThat(CassandraPromises.replicas(away, clients, true)).containsKey(Promised.SURVIVE);
  }

  @Test
  void whatMeetsInADataCentreAloneIsSaidToDoSo() {
    ClientUse local = clients(ConsistencyLevel.LOCAL_QUORUM, ConsistencyLevel.LOCAL_QUORUM, -1);
    assertThat(CassandraPromises.means(Promised.STALE, local).source())
        .contains("levels that meet in a data centre");
  }
}
