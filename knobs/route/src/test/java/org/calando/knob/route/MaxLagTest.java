package org.calando.knob.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Controller;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.Signals;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.store.ReadFrom;
import org.calando.schema.Documents;
import org.junit.jupiter.api.Test;

class MaxLagTest {
  private static final OptionalLong UNKNOWN = OptionalLong.empty();

  private final MaxLag policy = new MaxLag(millis(500), millis(2000));

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Where reads go, each second, by the lag of the latest replica in ms. */
  private List<ReadFrom> routes(OptionalLong... lags) {
    PolicyLoop<Long> loop = new PolicyLoop<>(policy, "shop:carts");
    List<ReadFrom> routes = new ArrayList<>();
    for (OptionalLong lag : lags) {
      OptionalLong nanos = lag.isEmpty() ? lag : OptionalLong.of(millis(lag.getAsLong()));
      Signals seen =
          Signals.of(
              millis(1000L * routes.size()), "shop:carts", MaxLag.LAG, new MaxLag.Lag(2, nanos));
      routes.add(loop.decide(seen).value(RouteType.ID).orElseThrow());
    }
    return routes;
  }

  private static OptionalLong late(long millis) {
    return OptionalLong.of(millis);
  }

  @Test
  void readsGoToReplicasOnceNoneHasBeenLateForLongEnough() {
    assertThat(routes(late(500), late(0), late(10), late(500)))
        .containsExactly(ReadFrom.MASTER, ReadFrom.MASTER, ReadFrom.REPLICA, ReadFrom.REPLICA);
  }

  @Test
  void oneThatIsLateOrNotKnownSendsThemToTheMasterAtOnceAndTheWaitBeginsAnew() {
    for (OptionalLong bad : List.of(late(501), UNKNOWN)) {
      assertThat(routes(late(0), late(0), late(0), bad, late(0), late(0), late(0)))
          .containsExactly(
              ReadFrom.MASTER,
              ReadFrom.MASTER,
              ReadFrom.REPLICA,
              ReadFrom.MASTER,
              ReadFrom.MASTER,
              ReadFrom.MASTER,
              ReadFrom.REPLICA);
    }
  }

  @Test
  void theLagIsThatOfTheLatestReplicaAndGetsOlderWithItsWord() {
    List<NodeView> nodes =
        List.of(
            node("n1", Role.MASTER, UNKNOWN, 0),
            node("n2", Role.REPLICA, late(30), 900),
            node("n3", Role.REPLICA, late(10), 400));
    assertThat(MaxLag.Lag.of(nodes, millis(1000)))
        .isEqualTo(new MaxLag.Lag(2, OptionalLong.of(millis(610))));
  }

  @Test
  void theLagIsNotKnownWhereOneReplicasIsNotOrThereIsNone() {
    NodeView master = node("n1", Role.MASTER, UNKNOWN, 0);
    NodeView silent = node("n2", Role.UNKNOWN, UNKNOWN, 0);
    NodeView replica = node("n3", Role.REPLICA, late(1), 0);
    assertThat(MaxLag.Lag.of(List.of(master), 0)).isEqualTo(new MaxLag.Lag(0, UNKNOWN));
    assertThat(MaxLag.Lag.of(List.of(master, silent, replica), 0))
        .isEqualTo(new MaxLag.Lag(2, UNKNOWN));
  }

  @Test
  void aLimitBelowTwoQuestionsIsRefused() {
    assertThat(read("{limit: 200ms}").name()).startsWith("max-lag 200ms");
    assertThatThrownBy(() -> read("{limit: 199ms}"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("limit")
        .hasMessageContaining("200ms");
  }

  @Test
  void itsStateIsWrittenAndRead() {
    for (long state : new long[] {policy.initial(), 0, -5, millis(7)}) {
      assertThat(policy.read(policy.write(state))).isEqualTo(state);
    }
    assertThat(policy.name()).isEqualTo("max-lag 500ms back after 2s");
  }

  private static Controller<?> read(String yaml) {
    return Documents.read(MaxLag.KEY.type(), yaml, "max-lag", Path.of(""), List.of()).value();
  }

  private static NodeView node(String name, Role role, OptionalLong lagMillis, long atMillis) {
    NodeRole word = new NodeRole(name, 1, "", role, "", true, 0, 0, millis(atMillis));
    OptionalLong nanos =
        lagMillis.isEmpty() ? lagMillis : OptionalLong.of(millis(lagMillis.getAsLong()));
    return new NodeView(word, false, false, false, OptionalLong.empty(), nanos);
  }
}
