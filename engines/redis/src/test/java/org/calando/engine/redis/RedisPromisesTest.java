package org.calando.engine.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.assertj.core.data.Offset;
import org.calando.core.observe.ClientRequests.Count;
import org.calando.core.observe.ClientUse;
import org.calando.core.observe.PromiseFigure;
import org.calando.core.observe.Promised;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.junit.jupiter.api.Test;

class RedisPromisesTest {
  private static NodeRole master(String name) {
    return new NodeRole(name, 1, "run", Role.MASTER, "", true, 0, 0, 0);
  }

  private static NodeRole master(String name, int followers) {
    return new NodeRole(name, 1, "run", Role.MASTER, "", true, 0, followers, 0);
  }

  private static Count count(long life, long second, long reads, long writes) {
    return new Count(life, second * 1_000_000_000L, reads, writes);
  }

  private static NodeRole replica(String name, String upstream, boolean linkUp) {
    return new NodeRole(name, 1, "run", Role.REPLICA, upstream, linkUp, 0, 0, 0);
  }

  private static NodeView view(NodeRole role, OptionalLong lagNanos) {
    return new NodeView(role, false, false, false, lagNanos, lagNanos);
  }

  @Test
  void copiesAreThoseOfTheDataThatHasTheFewest() {
    assertThat(
            RedisCopies.of(
                List.of(
                    master("a"),
                    replica("a1", "a", true),
                    replica("a2", "a1", true),
                    master("b"),
                    replica("b1", "b", true))))
        .contains(new RedisCopies(2, 2));
    assertThat(RedisCopies.of(List.of(master("a"), replica("a1", "a", false))))
        .as("it has not been synchronised")
        .contains(new RedisCopies(1, 1));
    assertThat(RedisCopies.of(List.of(master("a").silent(1), replica("a1", "a", false))))
        .as("it has what it had")
        .contains(new RedisCopies(1, 1));
    assertThat(RedisCopies.of(List.of(master("a"), NodeRole.unknown("c", 0))))
        .contains(new RedisCopies(1, 2));
    assertThat(RedisCopies.of(List.of(NodeRole.unknown("c", 0)))).isEqualTo(Optional.empty());
  }

  @Test
  void whatIsOutOfReachIsNotTakenForDead() {
    NodeRole silent = replica("a2", "a", true).silent(1);
    assertThat(RedisCopies.of(List.of(master("a", 2), replica("a1", "a", true), silent)))
        .as("the master has two that follow it")
        .contains(new RedisCopies(2, 3));
    assertThat(RedisCopies.of(List.of(master("a", 1), replica("a1", "a", true), silent)))
        .contains(new RedisCopies(2, 2));
    assertThat(
            RedisCopies.of(
                List.of(master("a", 2).silent(1), replica("a1", "a", true).silent(1), silent)))
        .as("nobody answers")
        .isEmpty();
  }

  @Test
  void aMasterThatNobodyFollowsAfterAFailOverIsLeftOut() {
    assertThat(
            RedisCopies.of(
                List.of(master("a", 2).silent(1), master("a1", 1), replica("a2", "a1", true))))
        .contains(new RedisCopies(2, 2));
    assertThat(
            RedisCopies.of(
                List.of(
                    master("a", 2).silent(1), master("a1", 0), replica("a2", "a", true).silent(1))))
        .as("a silent replica stays with it")
        .contains(new RedisCopies(1, 1));
    assertThat(RedisCopies.of(List.of(master("a", 0).silent(1), master("b", 0))))
        .as("nobody ever had its data")
        .contains(new RedisCopies(0, 0));
    assertThat(
            RedisCopies.of(
                List.of(
                    master("a", 1).silent(1), replica("a1", "a", true).silent(1), master("b", 0))))
        .as("who had its data is silent too")
        .contains(new RedisCopies(0, 0));
    assertThat(RedisCopies.of(List.of(master("a", 1).silent(1)))).isEmpty();
  }

  @Test
  void theLagIsThatOfTheLastReplica() {
    NodeView master = view(master("a"), OptionalLong.empty());
    NodeView one = view(replica("a1", "a", true), OptionalLong.of(5));
    NodeView other = view(replica("a2", "a", true), OptionalLong.of(7));
    assertThat(RedisPromises.lag(List.of(master, one, other))).hasValue(7);
    NodeView unknown = view(replica("a3", "a", true), OptionalLong.empty());
    assertThat(RedisPromises.lag(List.of(master, one, unknown))).isEmpty();
    assertThat(RedisPromises.lag(List.of(master))).isEmpty();
    NodeView silent = view(replica("a3", "a", true).silent(1), OptionalLong.empty());
    assertThat(RedisPromises.lag(List.of(master, one, silent)))
        .as("it may answer clients, with what it had")
        .isEmpty();
  }

  @Test
  void countsThatGoBackOrAreNotKnownMakeNoFigure() {
    List<NodeView> views =
        List.of(
            view(master("a"), OptionalLong.empty()),
            view(replica("a1", "a", true), OptionalLong.of(5)));
    Map<String, Count> before = Map.of("a", count(1, 0, 100, 50), "a1", count(2, 0, 10, 0));
    Map<String, Count> now = Map.of("a", count(1, 10, 400, 70), "a1", count(2, 10, 110, 0));
    assertThat(RedisReads.of(views, before, now)).contains(new RedisReads(400, 0.25, 2));
    assertThat(RedisReads.of(views, now, now)).isEmpty();
    for (Count other :
        List.of(count(1, 10, 99, 70), count(1, 10, 400, 49), count(9, 10, 400, 70))) {
      assertThat(RedisReads.of(views, before, Map.of("a", other, "a1", count(2, 10, 110, 0))))
          .isEmpty();
    }
    assertThat(RedisReads.of(views, Map.of(), now)).isEmpty();
    List<NodeView> silent =
        List.of(views.get(0), view(replica("a1", "a", true).silent(1), OptionalLong.empty()));
    assertThat(RedisReads.of(silent, before, now)).isEmpty();
  }

  @Test
  void readsOfReplicasMissWhatTheseHaveYetToApply() {
    double[] lags = {0.1, 0.1};
    PromiseFigure figure = new RedisReads(400, 0.25, 1).stale(ClientUse.UNKNOWN, lags);
    assertThat(figure.low()).isZero();
    assertThat(figure.high()).isCloseTo(0.25 * (1 - Math.exp(-0.1)), Offset.offset(1e-9));
    assertThat(new RedisReads(400, 0, 1).stale(ClientUse.UNKNOWN, lags).high())
        .as("masters are not stale")
        .isZero();
    assertThat(RedisPromises.means(Promised.READ_P99).source()).isEmpty();
  }

  @Test
  void howLateAReplicaIsThatWasCutOffLongAgoIsNotKnown() {
    double[] lags = new double[100];
    Arrays.fill(lags, 25.5);
    PromiseFigure fresh = RedisPromises.fresh(lags);
    assertThat(Promised.FRESH.kept(fresh, 10)).contains(false);
    assertThat(Promised.FRESH.kept(fresh, 60)).isEmpty();
    PromiseFigure stale = new RedisReads(400, 0.25, 0.001).stale(ClientUse.UNKNOWN, lags);
    assertThat(stale.high()).isEqualTo(0.25);
    assertThat(Promised.STALE.kept(stale, 0.1)).isEmpty();
  }
}
