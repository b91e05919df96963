package org.calando.core.policy.joint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.core.policy.joint.JointCases.PROMISE;
import static org.calando.core.policy.joint.JointCases.SECOND;

import java.util.List;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.Signals;
import org.calando.core.policy.Step;
import org.calando.core.policy.clock.ClockObservation;
import org.junit.jupiter.api.Test;

class JointControllerTest {
  private final JointCases seen = new JointCases();
  private Promise promise = PROMISE;
  private JointState state = JointState.INITIAL;
  private long now = 1000 * SECOND;

  /** How long nodes boot; those that are to go off do so at once. */
  private int bootSeconds;

  private long readyNanos;

  /** Decides once a second for so long; the cluster does what is decided. */
  private Step<JointState> after(int seconds) {
    JointController controller = seen.controller(promise);
    Step<JointState> step = null;
    for (int i = 0; i < seconds; i++) {
      now += SECOND;
      step = controller.decide(state, seen.signals(now, state));
      state = step.state();
      int gear = step.value(KnobId.GEAR).orElseThrow();
      if (gear != seen.gear) {
        seen.gear = gear;
        seen.off = 3 - gear;
        seen.live = Math.min(seen.live, gear);
        readyNanos = now + bootSeconds * SECOND;
      }
      if (now >= readyNanos) {
        seen.live = gear - Math.min(1, seen.failed);
      }
    }
    return java.util.Objects.requireNonNull(step);
  }

  private static String why(Step<?> step) {
    return String.join("; ", step.reasons());
  }

  private static double asked(Step<?> step) {
    return step.value(KnobId.READ_LEVEL).orElseThrow().mean();
  }

  @Test
  void readsAsFewReplicasAsThePromiseAllows() {
    seen.lagSeconds = 1e-6;
    assertThat(after(20).value(KnobId.READ_LEVEL)).hasValue(ReadChoice.of(1));
  }

  @Test
  void readsMoreReplicasWhereOneWouldBeTooStaleAndSaysSo() {
    seen.lagSeconds = 0.1;
    Step<JointState> step = after(20);
    assertThat(asked(step)).isGreaterThan(1.5);
    assertThat(why(step)).contains("would be").contains("% stale, 1 % is promised");
  }

  @Test
  void readsAreStrongWhereNoStaleOnesArePromised() {
    promise = Promise.NONE.with(Promised.READ_P99, 0.05);
    seen.write = 2;
    seen.lagSeconds = 0;
    assertThat(asked(after(20))).isEqualTo(2);
  }

  @Test
  void shiftsDownAtLowLoadOnceThatPays() {
    seen.reads = 70;
    seen.writes = 30;
    Step<JointState> step = after(30);
    assertThat(step.value(KnobId.GEAR)).hasValue(3);
    assertThat(why(step)).contains("would save").contains("which pays after");
    assertThat(after(600).value(KnobId.GEAR)).hasValue(1);
  }

  /** As racks do, of which some that are off would hold hints for others. */
  @Test
  void fromALowerGearOnlyTheHighestIsShiftedToWhereNoOtherCanBe() {
    seen.viaHighest = true;
    seen.gear = 2;
    seen.live = 2;
    seen.off = 1;
    seen.reads = 70;
    seen.writes = 30;
    Step<JointState> step = after(900);
    assertThat(step.value(KnobId.GEAR)).hasValue(2);
    assertThat(why(step)).doesNotContain("gear 1 would save");
    seen.reads = 20_000;
    seen.writes = 9000;
    assertThat(after(1).value(KnobId.GEAR)).hasValue(3);
  }

  @Test
  void copiesBoundTheGear() {
    promise = promise.with(Promised.COPIES, 2);
    seen.reads = 70;
    seen.writes = 30;
    Step<JointState> step = after(900);
    assertThat(step.value(KnobId.GEAR)).hasValue(2);
    assertThat(why(step)).contains("gear 1 would leave 1 copy, 2 are promised");
  }

  @Test
  void aNodeThatMayFailForbidsTheGear() {
    promise = promise.with(Promised.SURVIVE, 1);
    seen.write = 2;
    seen.reads = 70;
    seen.writes = 30;
    Step<JointState> step = after(900);
    assertThat(step.value(KnobId.GEAR)).hasValue(3);
    assertThat(why(step)).contains("gear 2 would not survive 1 failed for writes at 2 replicas");
  }

  @Test
  void slowsClocksAtLowLoadAndNotAtHigh() {
    seen.reads = 70;
    seen.writes = 30;
    after(20);
    assertThat(state.set().kHz()).isLessThan(2_200_000);
    seen.reads = 4000;
    seen.writes = 1700;
    seen.p99Seconds = 0.045;
    after(2);
    assertThat(state.set().kHz()).isGreaterThanOrEqualTo(2_000_000);
  }

  @Test
  void aBrokenPartIsAnsweredAtOnce() {
    seen.reads = 70;
    seen.writes = 30;
    after(900);
    assertThat(seen.gear).isEqualTo(1);
    seen.p99Seconds = 0.2;
    Step<JointState> step = after(1);
    assertThat(step.value(KnobId.GEAR)).hasValue(1);
    assertThat(step.value(KnobId.CLOCK)).hasValue(2_200_000L);
    assertThat(why(step)).contains("99 % of the reads took 200 ms, 50 ms are promised");
    assertThat(after(6).value(KnobId.GEAR)).hasValue(3);
  }

  @Test
  void easingWaitsAndRaisingDoesNot() {
    seen.lagSeconds = 0.1;
    double strong = asked(after(20));
    seen.lagSeconds = 1e-6;
    assertThat(asked(after(3))).isEqualTo(strong);
    assertThat(asked(after(5))).isEqualTo(1);
    seen.lagSeconds = 0.1;
    assertThat(asked(after(1))).isGreaterThan(1.5);
  }

  @Test
  void doesNotSwingAtASteadyLoad() {
    seen.lagSeconds = 0.02;
    after(60);
    JointState.Set set = state.set();
    for (int i = 0; i < 40; i++) {
      seen.reads = 700 * (1 + 0.02 * Math.sin(i));
      after(1);
      assertThat(state.set().kHz()).isEqualTo(set.kHz());
    }
  }

  @Test
  void risesAtOnceWhereTheGearDoesNotDo() {
    seen.reads = 70;
    seen.writes = 30;
    after(900);
    seen.reads = 3500;
    seen.writes = 1500;
    Step<JointState> step = after(1);
    assertThat(step.value(KnobId.GEAR).orElseThrow()).isGreaterThan(1);
    assertThat(step.value(KnobId.CLOCK)).hasValue(2_200_000L);
    assertThat(why(step)).contains("gear 1 would not keep the promise");
  }

  @Test
  void replicasThatReturnLackWritesForAWhile() {
    seen.reads = 70;
    seen.writes = 30;
    seen.lagSeconds = 1e-6;
    after(900);
    seen.gear = 3;
    seen.live = 3;
    seen.off = 0;
    state =
        new JointState(
            state.atNanos(),
            new JointState.Set(state.set().reads(), 3, 1, state.set().kHz()),
            state.times(),
            state.learnt());
    Step<JointState> step = after(1);
    assertThat(asked(step)).isGreaterThanOrEqualTo(2);
    assertThat(why(step)).contains("may lack writes");
  }

  @Test
  void whatIsNotKnownIsSafe() {
    seen.reads = 70;
    seen.writes = 30;
    after(900);
    assertThat(seen.gear).isEqualTo(1);
    for (var signal : List.of(Observation.READS, ReadLatency.SIGNAL, ClockObservation.CLOCKS)) {
      seen.missing = List.of(signal);
      Step<JointState> step =
          seen.controller(promise).decide(state, seen.signals(now + SECOND, state));
      assertThat(step.value(KnobId.GEAR)).hasValue(3);
      assertThat(step.state().set().kHz()).isEqualTo(2_200_000);
      assertThat(why(step)).contains("safe");
    }
    seen.missing = List.of();
    seen.failed = 1;
    assertThat(why(after(1))).contains("1 node does not serve: safe");
  }

  @Test
  void aNodeThatIsOnAndOfWhichNothingTellsHowBusyItIsIsUnknown() {
    lowLoad();
    after(20);
    seen.silent = 2;
    assertThat(why(after(1))).contains("it is unknown how busy node n2 is: safe");
    seen.silent = -1;
    assertThat(why(after(1))).doesNotContain("safe");
  }

  @Test
  void aNodeThatHasJustReturnedNeedNotTellHowBusyItIs() {
    lowLoad();
    after(900);
    assertThat(seen.gear).isEqualTo(1);
    highLoad();
    after(1);
    seen.silent = 5;
    assertThat(why(after(30))).doesNotContain("unknown");
    assertThat(seen.live).isGreaterThan(1);
    assertThat(why(after(40))).contains("it is unknown how busy node n5 is: safe");
  }

  @Test
  void nodesThatAreBusierThanPredictedCorrectIt() {
    seen.reads = 70;
    seen.writes = 30;
    seen.busyFactor = 8;
    after(60);
    assertThat(state.learnt().work()).isBetween(7.0, 9.0);
  }

  private void lowLoad() {
    seen.reads = 70;
    seen.writes = 30;
    seen.lagSeconds = 1e-6;
  }

  private void highLoad() {
    seen.reads = 3500;
    seen.writes = 1000;
  }

  @Test
  void noGearRefusesWrites() {
    seen.write = 2;
    lowLoad();
    Step<JointState> step = after(900);
    assertThat(step.value(KnobId.GEAR)).hasValue(2);
    assertThat(why(step)).contains("gear 1 would refuse writes, which need 2 replicas");
  }

  /** Its hints take time to be delivered, and nobody counts those of a node that failed. */
  @Test
  void aNodeThatFailedIsTakenToLackWritesForAsLongAsItWasAway() {
    lowLoad();
    after(20);
    seen.failed = 1;
    after(600);
    seen.failed = 0;
    seen.live = 3;
    Step<JointState> step = after(600);
    assertThat(asked(step)).isGreaterThanOrEqualTo(2);
    assertThat(why(step)).contains("may lack writes");
    after(100);
    assertThat(state.times().lateNanos()).isZero();
  }

  @Test
  void aNodeThatFailedIsTrustedAfterADayAtLatest() {
    lowLoad();
    after(20);
    seen.failed = 1;
    for (int hour = 0; hour < 48; hour++) {
      now += 3600 * SECOND;
      after(1);
    }
    assertThat(state.times().lateNanos()).isEqualTo(86_400 * SECOND);
  }

  @Test
  void asksOnlyReplicasThatAnswerWhileNodesBoot() {
    lowLoad();
    after(900);
    assertThat(seen.gear).isEqualTo(1);
    bootSeconds = 120;
    highLoad();
    after(1);
    assertThat(seen.gear).isGreaterThan(1);
    for (int second = 0; second < 118; second++) {
      Step<JointState> step = after(1);
      assertThat(seen.live).isEqualTo(1);
      assertThat(asked(step)).isEqualTo(1);
      assertThat(why(step)).doesNotContain("safe");
    }
  }

  @Test
  void replicasLackWritesFromTheirReturnUntilTheyHaveGotThem() {
    lowLoad();
    after(900);
    bootSeconds = 120;
    highLoad();
    after(1);
    while (seen.live == 1) {
      assertThat(seen.gear).isGreaterThan(1);
      after(1);
    }
    int live = seen.live;
    Step<JointState> step = after(55);
    assertThat(asked(step)).isGreaterThanOrEqualTo(Math.min(live, seen.live));
    assertThat(why(step)).contains("may lack writes");
    seen.owed = 1;
    assertThat(asked(after(100))).isGreaterThanOrEqualTo(live);
    seen.owed = 0;
    assertThat(asked(after(120))).isEqualTo(1);
  }

  @Test
  void aFailedNodeLeavesReadsThatAreAnswered() {
    promise = promise.with(Promised.SURVIVE, 1);
    lowLoad();
    after(900);
    assertThat(seen.gear).isEqualTo(2);
    seen.failed = 1;
    seen.live = 1;
    bootSeconds = 120;
    Step<JointState> step = after(1);
    assertThat(asked(step)).isEqualTo(1);
    assertThat(why(step)).contains("1 node does not serve: safe, 1 replica, gear 3");
  }

  @Test
  void replicasThatMayFailAreNotAskedWhatLacksWritesEither() {
    promise = promise.with(Promised.SURVIVE, 1);
    lowLoad();
    after(900);
    seen.reads = 7000;
    seen.writes = 2000;
    Step<JointState> step = after(3);
    assertThat(seen.live).isEqualTo(3);
    assertThat(asked(step)).isEqualTo(2);
    assertThat(why(step))
        .contains("reads may be staler than promised: 3 replicas would not be")
        .contains("no more than 2 may be asked");
  }

  @Test
  void fewAnswersAreNoneAndErrorsAreSlow() {
    after(20);
    seen.answered = 50;
    assertThat(why(after(1))).contains("it is unknown how long reads take: safe");
    seen.answered = 0;
    seen.errors = 500;
    assertThat(why(after(1))).contains("100 % of the operations failed");
    seen.answered = 1000;
    seen.errors = 20;
    assertThat(why(after(1))).contains("1.96 % of the operations failed");
  }

  @Test
  void strainRaisesNoLoad() {
    seen.lagSeconds = 1e-6;
    assertThat(asked(after(20))).isEqualTo(1);
    seen.strained = true;
    Step<JointState> step = after(1);
    assertThat(asked(step)).isEqualTo(1);
    assertThat(step.value(KnobId.CLOCK)).hasValue(2_200_000L);
  }

  /** On the way back from a low gear all replicas are asked, which may be what is too much. */
  @Test
  void readsThatAskAllReplicasEndWhereThatIsTooMuchForTheNodes() {
    seen.lagSeconds = 1e-6;
    after(20);
    seen.owed = 1;
    assertThat(asked(after(2))).as("strong, while writes are owed").isEqualTo(3);
    seen.strained = true;
    assertThat(asked(after(1))).isEqualTo(2);
    seen.strained = false;
    seen.reads = 4200;
    seen.writes = 1800;
    Step<JointState> step = after(1);
    assertThat(asked(step)).as("more than nodes can do").isEqualTo(2);
    assertThat(String.join("; ", step.reasons()))
        .contains(
            "reads may be staler than promised: strong ones, while replicas lack writes, ask 3");
    seen.reads = 700;
    seen.writes = 300;
    assertThat(asked(after(10))).isEqualTo(3);
  }

  @Test
  void whatCanariesFoundCountsWhileOtherFiguresAreMissing() {
    after(20);
    seen.missing = List.of(ReadLatency.SIGNAL);
    seen.truth = java.util.Optional.of(new Observation.Truth(now + SECOND, 100, 40, 2));
    after(1);
    assertThat(state.learnt().stale().factor()).isGreaterThan(2);
  }

  @Test
  void moreIsDecidedAtOnceAndLessIsNot() {
    seen.lagSeconds = 1e-6;
    after(20);
    state =
        new JointState(
            state.atNanos(),
            new JointState.Set(ReadChoice.of(1), seen.gear, seen.live, 2_200_000),
            state.times(),
            state.learnt());
    seen.lagSeconds = 0.1;
    Step<JointState> step = after(1);
    assertThat(asked(step)).isGreaterThan(1);
    assertThat(step.value(KnobId.CLOCK)).hasValue(2_200_000L);
  }

  @Test
  void isNotTaughtByNodesThatLeave() {
    lowLoad();
    after(30);
    while (seen.gear == 3) {
      after(1);
    }
    double work = state.learnt().work();
    seen.busyFactor = 0.5;
    after(4);
    assertThat(state.learnt().work()).isEqualTo(work);
  }

  @Test
  void isNotTaughtByNodesThatCanDoNoMore() {
    seen.reads = 20_000;
    seen.writes = 9000;
    after(40);
    assertThat(state.learnt().work()).isGreaterThanOrEqualTo(1);
  }

  @Test
  void theGearThatIsTakenIsTheOneThatIsJudged() {
    seen.reads = 3000;
    seen.writes = 1000;
    seen.lagSeconds = 1e-6;
    Step<JointState> step = after(30);
    assertThat(why(step)).contains("gear 2 would save");
    double before = saved(step);
    lowLoad();
    step = after(1);
    assertThat(why(step)).contains("gear 2 would save");
    double two = saved(step);
    state = new JointState(state.atNanos(), state.set(), state.times().other(0, 0), state.learnt());
    step = after(1);
    assertThat(why(step)).contains("gear 1 would save");
    assertThat(two).isLessThan(0.8 * saved(step));
    assertThat(before).isPositive();
  }

  private static double saved(Step<?> step) {
    return Double.parseDouble(why(step).replaceAll("(?s).*would save ([0-9.]+) W.*", "$1"));
  }

  @Test
  void oldSignalsAndGapsAreSafeAndBeginAnew() {
    after(20);
    Signals old = seen.signals(now, state);
    Signals late = new Signals(now + 60 * SECOND, old.target(), old.byId());
    assertThat(why(seen.controller(promise).decide(state, late)))
        .contains("the table is not observed: safe");
    now += 3600 * SECOND;
    after(1);
    assertThat(state.times().sameNanos()).isZero();
    assertThat(state.times().servedNanos()).isZero();
  }

  @Test
  void aSteadyLoadIsNoGrowth() {
    java.util.Random random = new java.util.Random(3);
    seen.lagSeconds = 1e-6;
    int shifts = 0;
    for (int second = 0; second < 3600; second++) {
      double noise = random.nextGaussian();
      seen.reads = 1400 * (1 + noise / Math.sqrt(2000));
      seen.writes = 600 * (1 + noise / Math.sqrt(2000));
      int before = seen.gear;
      after(1);
      shifts += seen.gear == before ? 0 : 1;
    }
    assertThat(shifts).isLessThanOrEqualTo(1);
  }

  @Test
  void resumesFromItsState() {
    seen.lagSeconds = 0.02;
    after(40);
    String text = state.write();
    assertThat(JointState.read(text)).isEqualTo(state);
    Signals signals = seen.signals(now + SECOND, state);
    JointController controller = seen.controller(promise);
    assertThat(controller.decide(controller.read(text), signals))
        .isEqualTo(controller.decide(state, signals));
  }
}
