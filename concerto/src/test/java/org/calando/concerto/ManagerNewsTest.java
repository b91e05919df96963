package org.calando.concerto;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.calando.clock.ClockOutcome;
import org.calando.clock.Drift;
import org.calando.clock.PolicyOutcome;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.clock.ClockLimits;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.clock.ClockObservation.Work;
import org.calando.core.policy.clock.ClockPolicy;
import org.calando.core.policy.clock.ClockState;
import org.calando.core.policy.clock.ConcertoPolicy;
import org.calando.core.policy.clock.FixedClockPolicy;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.junit.jupiter.api.Test;

class ManagerNewsTest {
  private static final ClockLimits LIMITS = ClockLimits.defaults();
  private static final long SECOND = 1_000_000_000L;
  private static final List<Long> CLOCKS = List.of(2_200_000L, 1_000_000L);

  private final ManagerNews news = new ManagerNews(LIMITS, false);
  private long nowNanos = 1;

  @Test
  void clocksAreSettledOnceNothingWaitsToBeLowered() {
    PolicyLoop<ClockState> loop =
        new PolicyLoop<>(new ConcertoPolicy(LIMITS), ClockObservation.TARGET);
    assertThat(news.unsettled()).contains("nothing is decided yet");
    decide(loop, unknown("n1"), unknown("n2"));
    assertThat(news.unsettled()).contains("no node says that it is the master");
    for (int second = 0; second <= 1; second++) {
      decide(loop, master("n1"), replica("n2", 0));
      assertThat(news.unsettled()).hasValueSatisfying(why -> assertThat(why).startsWith("n2 "));
    }
    decide(loop, master("n1"), replica("n2", 0));
    assertThat(news.unsettled()).isEmpty();
  }

  @Test
  void aReplicaThatLagsOrSaysNothingIsNotSettled() {
    PolicyLoop<ClockState> loop =
        new PolicyLoop<>(FixedClockPolicy.ALL_HIGH, ClockObservation.TARGET);
    decide(loop, master("n1"), replica("n2", 0));
    assertThat(news.unsettled()).isEmpty();
    decide(loop, master("n1"), replica("n2", LIMITS.lagBytes() + 1));
    assertThat(news.unsettled()).contains("n2 lags");
    decide(loop, master("n1"), unknown("n2"));
    assertThat(news.unsettled()).contains("n2 has not said what it is");
  }

  @Test
  void aPolicyThatPredictsIsNotSettledBeforeWorkIsMeasured() {
    ManagerNews predicting = new ManagerNews(LIMITS, true);
    ClockPolicy policy = FixedClockPolicy.ALL_HIGH;
    predicting.decided(
        new PolicyLoop<>(policy, ClockObservation.TARGET)
            .decide(observed(Optional.empty(), master("n1"), replica("n2", 0))),
        List.of());
    assertThat(predicting.unsettled()).contains("the work of n2 was not measured");
    Work work = new Work(1, 2_200_000, 0.1, 10, 1000, 0, 0);
    predicting.decided(
        new PolicyLoop<>(policy, ClockObservation.TARGET)
            .decide(observed(Optional.of(work), master("n1"), replica("n2", 0))),
        List.of());
    assertThat(predicting.unsettled()).isEmpty();
  }

  @Test
  void changesWithinTheWindowAreToldWithTheirReasonAndAllAreCounted() {
    PolicyLoop<ClockState> loop =
        new PolicyLoop<>(new ConcertoPolicy(LIMITS), ClockObservation.TARGET);
    decide(loop, master("n1"), replica("n2", 0));
    assertThat(news.changed()).isEqualTo(2);
    news.measurementBegan();
    for (int second = 0; second < 3; second++) {
      decide(loop, master("n1"), replica("n2", 0));
    }
    news.measurementEnded();
    decide(loop, master("n1"), replica("n2", LIMITS.lagBytes() + 1));
    assertThat(news.changed()).isEqualTo(4);
    assertThat(news.notes())
        .containsExactly("clocks were changed in the measured window: n2 1.0 GHz: a replica");
  }

  @Test
  void clocksThatAreRefusedAreToldUntilALookHasSetThem() {
    PolicyLoop<ClockState> loop =
        new PolicyLoop<>(FixedClockPolicy.ALL_HIGH, ClockObservation.TARGET);
    PolicyOutcome refused = outcome("policy1", 0, PolicyOutcome.Result.REFUSED, "Invalid argument");
    PolicyOutcome limited = outcome("policy0", 1_800_000, PolicyOutcome.Result.CHANGED, "took it");
    news.decided(
        loop.decide(observed(Optional.empty(), master("n1"), replica("n2", 0))),
        List.of(
            new ClockOutcome("n1", 2_200_000, List.of(limited), Set.of()),
            new ClockOutcome("n2", 2_200_000, List.of(refused), Set.of())));
    assertThat(news.refused()).contains("clocks were not set: policy1 (Invalid argument)");
    news.drifted(List.of(drift(outcome("policy1", 2_200_000, PolicyOutcome.Result.SET, ""))));
    assertThat(news.refused()).isEmpty();
    news.drifted(List.of(drift(outcome("policy0", 0, PolicyOutcome.Result.GONE, "is gone"))));
    assertThat(news.refused()).contains("clocks were not set: policy0 (is gone)");
    assertThat(news.notes())
        .contains("clocks: policy0 was changed from max=1 to max=2, not by its owner: set again");
  }

  private static Drift drift(PolicyOutcome outcome) {
    return new Drift(outcome.policy(), "max=1", "max=2", "set again", Optional.of(outcome));
  }

  private static PolicyOutcome outcome(
      String policy, long readKHz, PolicyOutcome.Result result, String detail) {
    return new PolicyOutcome(policy, 2_200_000, readKHz, result, detail);
  }

  @Test
  void troublesAreToldOnceAndManyAreCounted() {
    for (int i = 0; i < 3; i++) {
      news.trouble("the same");
    }
    for (int i = 0; i < 10; i++) {
      news.trouble("number " + i);
    }
    assertThat(news.notes())
        .hasSize(6)
        .startsWith("clocks: the same", "clocks: number 0")
        .endsWith("clocks: and 8 times more such trouble");
  }

  private void decide(PolicyLoop<ClockState> loop, NodeView... views) {
    news.decided(loop.decide(observed(Optional.empty(), views)), List.of());
    nowNanos += SECOND;
  }

  private ClockObservation observed(Optional<Work> work, NodeView... views) {
    List<ClockObservation.Node> nodes = new ArrayList<>();
    for (NodeView view : views) {
      NodeRole word = view.word();
      NodeRole now =
          new NodeRole(word.node(), 1, "", word.role(), "", true, word.offsetBytes(), 0, nowNanos);
      nodes.add(
          new ClockObservation.Node(
              new NodeView(now, view.mayBeMaster(), false, false, view.lagBytes(), view.lagNanos()),
              CLOCKS,
              work));
    }
    return new ClockObservation(nowNanos, nodes);
  }

  private static NodeView master(String node) {
    return RoleCpuTest.view(node, 1, Role.MASTER);
  }

  private static NodeView unknown(String node) {
    return RoleCpuTest.view(node, 1, Role.UNKNOWN);
  }

  private static NodeView replica(String node, long lag) {
    return RoleCpuTest.view(node, 1, Role.REPLICA, OptionalLong.of(lag));
  }
}
