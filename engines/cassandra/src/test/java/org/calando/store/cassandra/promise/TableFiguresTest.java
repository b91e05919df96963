package org.calando.store.cassandra.promise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.UUID;
import org.assertj.core.data.Offset;
import org.calando.core.observe.ClientUse;
import org.calando.core.observe.PromiseFigure;
import org.calando.core.observe.Promised;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.TableName;
import org.calando.store.cassandra.promise.NodeTables.Latency;
import org.calando.store.cassandra.promise.NodeTables.Period;
import org.junit.jupiter.api.Test;

class TableFiguresTest {
  private static final TableName CARTS = new TableName("shop", "carts");
  private static final TableName LOCAL = new TableName("system", "local");
  private static final UUID ONE = new UUID(0, 1);
  private static final UUID TWO = new UUID(0, 2);
  private static final long SECOND = 1_000_000_000L;
  private static final Offset<Double> EXACT = Offset.offset(1e-9);

  private static NodeTables node(long second, long reads, double p99, long applied) {
    return new NodeTables(
        1,
        second * SECOND,
        Map.of(CARTS, new Latency(reads, p99), LOCAL, new Latency(1000 * reads, 9)),
        Map.of(CARTS, new Latency(applied, 0.03)),
        Map.of(CARTS, new Latency(applied, 0.001)));
  }

  private static Map<Promised, PromiseFigure> figures(
      ClientUse clients, Period period, boolean mayLack) {
    return new TableFigures(
            clients,
            period,
            keyspace -> Optional.of(ReplicaPlacement.single(3)),
            keyspace -> StaleBound.Off.NONE)
        .figures(Optional.empty(), mayLack);
  }

  private static Period period() {
    return new Period(
        Map.of(ONE, node(0, 0, 0, 0), TWO, node(0, 0, 0, 0)),
        Map.of(ONE, node(10, 100, 0.01, 15), TWO, node(10, 300, 0.05, 15)));
  }

  private static ClientUse keys(ClientUse clients, long keys) {
    return new ClientUse(
        clients.reads(),
        clients.writes(),
        OptionalLong.of(keys),
        OptionalDouble.empty(),
        clients.propagationNanos(),
        Optional.empty(),
        List.of());
  }

  @Test
  void thePercentileOfAllIsBetweenThoseOfTheNodes() {
    PromiseFigure p99 = figures(ClientUse.UNKNOWN, period(), false).get(Promised.READ_P99);
    assertThat(p99).isNotNull();
    assertThat(p99.low()).isEqualTo(0.01);
    assertThat(p99.high()).as("the server's own tables do not count").isEqualTo(0.05);
    assertThat(p99.reads()).isEqualTo(400);
    Period idle = new Period(period().now(), period().now());
    assertThat(figures(ClientUse.UNKNOWN, idle, false)).isEmpty();
  }

  @Test
  void nodesThatHaveNothingBeforeMakeAPeriodUnknown() {
    assertThat(period().isWhole()).isTrue();
    assertThat(new Period(Map.of(ONE, node(0, 0, 0, 0)), period().now()).isWhole()).isFalse();
    assertThat(new Period(Map.of(), Map.of()).isWhole()).isFalse();
  }

  @Test
  void staleReadsAreThoseOfTheExactModel() {
    ClientUse weak =
        CassandraPromisesTest.clients(ConsistencyLevel.ONE, ConsistencyLevel.ONE, SECOND / 10);
    PromiseFigure unknownKeys = figures(weak, period(), false).get(Promised.STALE);
    assertThat(unknownKeys).isNotNull();
    // 30 applied by 3 replicas in 10 s is one write a second; 2 of 3 replicas lack it for 0.1 s.
    double oneKey = 2.0 / 3 * (1 - Math.exp(-0.1));
    assertThat(unknownKeys.low()).isZero();
    assertThat(unknownKeys.high()).isCloseTo(oneKey, EXACT);
    assertThat(unknownKeys.kind()).isEqualTo(PromiseFigure.Kind.PREDICTED);
    PromiseFigure keys = figures(keys(weak, 1000), period(), false).get(Promised.STALE);
    assertThat(keys).isNotNull();
    assertThat(keys.low()).isCloseTo(2.0 / 3 * (1 - Math.exp(-0.0001)), EXACT);
    assertThat(keys.high()).isEqualTo(keys.low());
  }

  @Test
  void aReplicaThatMayLackWritesLeavesAnyShareUnlessLevelsMeet() {
    ClientUse weak =
        CassandraPromisesTest.clients(ConsistencyLevel.ONE, ConsistencyLevel.ONE, SECOND / 10);
    PromiseFigure any = figures(weak, period(), true).get(Promised.STALE);
    assertThat(any).isNotNull();
    assertThat(Promised.STALE.kept(any, 0.5)).isEmpty();
    ClientUse strong =
        CassandraPromisesTest.clients(ConsistencyLevel.QUORUM, ConsistencyLevel.QUORUM, -1);
    Map<Promised, PromiseFigure> met = figures(strong, period(), true);
    assertThat(met.get(Promised.STALE)).isNotNull();
    assertThat(met.get(Promised.STALE).high()).isZero();
    assertThat(met.get(Promised.FRESH)).isNotNull();
    assertThat(met.get(Promised.FRESH).high()).isEqualTo(0.03);
    assertThat(figures(weak, period(), false)).doesNotContainKey(Promised.FRESH);
  }

  @Test
  void otherLevelsMissWhatTheyWouldMiss() {
    ClientUse weak =
        CassandraPromisesTest.clients(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM, SECOND / 10);
    Map<ConsistencyLevel, PromiseFigure> levels =
        new TableFigures(
                weak,
                period(),
                keyspace -> Optional.of(ReplicaPlacement.single(3)),
                keyspace -> StaleBound.Off.NONE)
            .levels(Optional.empty(), false);
    assertThat(levels.keySet())
        .containsExactly(ConsistencyLevel.ONE, ConsistencyLevel.QUORUM, ConsistencyLevel.ALL);
    assertThat(Objects.requireNonNull(levels.get(ConsistencyLevel.ONE)).high())
        .isCloseTo((1 - Math.exp(-0.1)) / 3, EXACT);
    assertThat(Objects.requireNonNull(levels.get(ConsistencyLevel.QUORUM)).high()).isZero();
  }
}
