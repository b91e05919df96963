package org.calando.core.policy.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.calando.core.policy.clock.ClockViews.HIGH;
import static org.calando.core.policy.clock.ClockViews.LOW;
import static org.calando.core.policy.clock.ClockViews.MS;
import static org.calando.core.policy.clock.ClockViews.SECOND;
import static org.calando.core.policy.clock.ClockViews.at;
import static org.calando.core.policy.clock.ClockViews.cutOff;
import static org.calando.core.policy.clock.ClockViews.master;
import static org.calando.core.policy.clock.ClockViews.promised;
import static org.calando.core.policy.clock.ClockViews.replica;
import static org.calando.core.policy.clock.ClockViews.serving;
import static org.calando.core.policy.clock.ClockViews.set;
import static org.calando.core.policy.clock.ClockViews.unknown;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.clock.ClockObservation.Node;
import org.calando.core.replication.Role;
import org.junit.jupiter.api.Test;

class ClockPoliciesTest {
  private static final ClockLimits LIMITS = ClockLimits.defaults();
  private static final ClockPolicy CONCERTO = new ConcertoPolicy(LIMITS);
  private static final long POLL = 100 * MS;

  private final List<Long> clocks = new ArrayList<>();
  private PolicyLoop<ClockState> loop = new PolicyLoop<>(CONCERTO, ClockObservation.TARGET);
  private long now;

  @Test
  void fixedPoliciesSetEveryNodeAlike() {
    ClockObservation o = at(0, master("n1", 0), replica("n2", 0, 0), unknown("n3", 0));
    ClockState none = ClockState.INITIAL;
    assertThat(FixedClockPolicy.ALL_HIGH.decide(none, o).settings())
        .extracting(setting -> setting.knob() + " " + setting.value())
        .containsOnly(KnobId.CLOCK + " 2200000")
        .hasSize(3);
    assertThat(FixedClockPolicy.ALL_LOW.decide(none, o).settings())
        .extracting(setting -> (Object) setting.value())
        .containsOnly(LOW)
        .hasSize(3);
  }

  @Test
  void concertoLowersReplicasAfterAWhileAndNeverTheMaster() {
    run(3 * SECOND, t -> replica("n2", 0, t));
    assertThat(clocks.get(0)).isEqualTo(HIGH);
    assertThat(firstLow()).isEqualTo(LIMITS.lowerAfterNanos());
    assertThat(clocks.get(clocks.size() - 1)).isEqualTo(LOW);
  }

  @Test
  void aReplicaThatBecomesMasterIsRaisedAtOnce() {
    run(3 * SECOND, t -> replica("n2", 0, t));
    assertThat(step(master("n2", now))).isEqualTo(HIGH);
    // Two masters: both stay high for as long as both say so.
    run(12 * SECOND, t -> master("n2", t));
    assertThat(clocks).containsOnly(HIGH);
    run(SECOND, t -> replica("n2", 0, t));
    assertThat(clocks).containsOnly(HIGH);
    run(2 * SECOND, t -> replica("n2", 0, t));
    assertThat(clocks).contains(LOW);
  }

  @Test
  void whoIsChosenOrSilentOrLongUnheardIsRaisedAtOnce() {
    List<LongFunction<Node>> doubts =
        List.of(
            t -> promised("n2", t),
            t -> unknown("n2", t),
            t -> replica("n2", 0, t - LIMITS.maxAgeNanos() - 1),
            t -> replica("n2", 0, t + 1));
    for (LongFunction<Node> doubt : doubts) {
      loop = new PolicyLoop<>(CONCERTO, ClockObservation.TARGET);
      run(3 * SECOND, t -> replica("n2", 0, t));
      assertThat(clocks).last().isEqualTo(LOW);
      assertThat(step(doubt.apply(now))).isEqualTo(HIGH);
    }
  }

  @Test
  void aReplicaThatLagsIsHighUntilItHasCaughtUpForAWhile() {
    run(3 * SECOND, t -> replica("n2", LIMITS.lagBytes(), t));
    assertThat(clocks).last().isEqualTo(LOW);
    assertThat(step(replica("n2", LIMITS.lagBytes() + 1, now))).isEqualTo(HIGH);
    // Within the limit, but above what counts as caught up.
    run(10 * SECOND, t -> replica("n2", LIMITS.lagBytes() / 2 + 1, t));
    assertThat(clocks).containsOnly(HIGH);
    run(10 * SECOND, t -> replica("n2", LIMITS.lagBytes() / 2, t));
    assertThat(firstLow()).isEqualTo(LIMITS.caughtUpNanos());
  }

  @Test
  void aLinkThatIsDownAndALagThatIsUnknownCountAsLagging() {
    run(3 * SECOND, t -> replica("n2", 0, t));
    assertThat(step(cutOff("n2", now))).isEqualTo(HIGH);
    run(10 * SECOND, t -> replica("n2", 0, t));
    assertThat(firstLow()).isEqualTo(LIMITS.caughtUpNanos());
    assertThat(step(withoutLag(now))).isEqualTo(HIGH);
  }

  @Test
  void theLagIsLimitedInTimeToo() {
    loop =
        new PolicyLoop<>(
            new ConcertoPolicy(LIMITS.withLag(Long.MAX_VALUE / 4, 1_000)), ClockObservation.TARGET);
    run(3 * SECOND, t -> replica("n2", 1_000, t));
    assertThat(clocks).last().isEqualTo(LOW);
    assertThat(step(replica("n2", 1_001, now))).isEqualTo(HIGH);
  }

  @Test
  void waitingBeginsAnewAfterAGapAndAfterARestart() {
    run(SECOND, t -> replica("n2", 0, t));
    now += LIMITS.maxAgeNanos() + 1;
    run(3 * SECOND, t -> replica("n2", 0, t));
    assertThat(firstLow()).isEqualTo(LIMITS.lowerAfterNanos());

    loop = new PolicyLoop<>(CONCERTO, ClockObservation.TARGET);
    now = 1_000 * SECOND;
    run(SECOND, t -> replica("n2", 0, t));
    loop = new PolicyLoop<>(CONCERTO, ClockObservation.TARGET, loop.stateText());
    now = 0;
    run(3 * SECOND, t -> replica("n2", 0, t));
    assertThat(firstLow()).isEqualTo(LIMITS.lowerAfterNanos());
  }

  @Test
  void replicasThatServeReadsStayHighWhereAsked() {
    loop = new PolicyLoop<>(new ConcertoPolicy(LIMITS, true), ClockObservation.TARGET);
    run(5 * SECOND, t -> serving(replica("n2", 0, t)));
    assertThat(clocks).containsOnly(HIGH);
    run(5 * SECOND, t -> replica("n2", 0, t));
    assertThat(clocks).last().isEqualTo(LOW);
    assertThat(step(serving(replica("n2", 0, now)))).isEqualTo(HIGH);
  }

  @Test
  void aNodeWithOneClockIsLeftAtIt() {
    Node only = new Node(replica("n2", 0, 0).view(), List.of(1_500_000L), Optional.empty());
    assertThat(set(CONCERTO.decide(ClockState.INITIAL, at(0, only)), "n2")).isEqualTo(1_500_000);
    Node none = replica("n2", 0, 0);
    assertThatThrownBy(() -> new Node(none.view(), List.of(), Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Node(none.view(), List.of(1L, 2L), Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> at(0, none, none)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void reasonsNameTheNodeTheClockAndTheCause() {
    assertThat(
            CONCERTO.decide(ClockState.INITIAL, at(0, master("n1", 0), cutOff("n2", 0))).reasons())
        .containsExactly(
            "concerto: 0 of 2 nodes below full clock",
            "n1 2.2 GHz: says that it is the master",
            "n2 2.2 GHz: its link to its master is down");
    assertThat(KiloHertz.text(999_950)).isEqualTo("0.99995 GHz");
    assertThat(KiloHertz.text(3_000_000)).isEqualTo("3.0 GHz");
  }

  @Test
  void statesAreReadAsTheyWereWritten() {
    ClockObservation o = at(7, master("a=b 100%", 7), replica("n2", 0, 7), cutOff("n:3", 7));
    ClockState state = CONCERTO.decide(ClockState.INITIAL, o).state();
    assertThat(state.nodes()).hasSize(3);
    assertThat(ClockState.read(state.write())).isEqualTo(state);
    assertThat(ClockState.read(ClockState.INITIAL.write())).isEqualTo(ClockState.INITIAL);
    for (String wrong :
        List.of(
            "",
            "adaptive/1 at=1",
            "clocks/1",
            "clocks/1 at=x",
            "clocks/1 at=1 n2=1/0/0",
            "clocks/1 at=1 =1/0/0/0",
            "clocks/1 at=1 n2=1/0/0/0 n2=1/0/0/0",
            "clocks/1 at=1 n2=1/0/2/0")) {
      assertThatThrownBy(() -> ClockState.read(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void policiesAreNamed() {
    for (String name : ClockPolicies.NAMES) {
      assertThat(ClockPolicies.byName(name, LIMITS, SlackLimits.defaults(), "matrix").name())
          .isEqualTo(name);
    }
    assertThatThrownBy(
            () -> ClockPolicies.byName("turbo", LIMITS, SlackLimits.defaults(), "matrix"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("turbo");
  }

  /** Decides every 100 ms, with a master beside the node; keeps the node's clocks. */
  private void run(long nanos, LongFunction<Node> node) {
    clocks.clear();
    for (long end = now + nanos; now < end; ) {
      clocks.add(step(node.apply(now)));
    }
  }

  private long step(Node node) {
    Decision<ClockState> decided = loop.decide(at(now, master("n1", now), node));
    assertThat(set(decided.step(), "n1")).isEqualTo(HIGH);
    now += POLL;
    return set(decided.step(), "n2");
  }

  /** Time from the run's begin to the first lower clock. */
  private long firstLow() {
    int first = clocks.indexOf(LOW);
    assertThat(first).as("a decision that lowers").isPositive();
    return first * POLL;
  }

  private static Node withoutLag(long atNanos) {
    return ClockViews.node(
        ClockViews.view("n2", Role.REPLICA, true, OptionalLong.empty(), atNanos), Optional.empty());
  }
}
