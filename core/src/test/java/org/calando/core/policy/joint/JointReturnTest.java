package org.calando.core.policy.joint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.core.policy.joint.JointCases.PROMISE;
import static org.calando.core.policy.joint.JointCases.SECOND;

import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Step;
import org.calando.core.policy.clock.ClockObservation;
import org.junit.jupiter.api.Test;

/** The way back from a low gear, and what is safe on it. */
class JointReturnTest {
  private final JointCases seen = new JointCases();
  private JointState state = JointState.INITIAL;
  private long now = 1000 * SECOND;

  /** Decides once a second for so long, at a load of which 30 % are writes. */
  private Step<JointState> after(int seconds, double perSecond) {
    seen.reads = 0.7 * perSecond;
    seen.writes = 0.3 * perSecond;
    JointController controller = seen.controller(PROMISE);
    Step<JointState> step = null;
    for (int i = 0; i < seconds; i++) {
      now += SECOND;
      step = controller.decide(state, seen.signals(now, state));
      state = step.state();
      seen.gear = step.value(KnobId.GEAR).orElseThrow();
      seen.live = seen.gear;
      seen.off = 3 - seen.gear;
    }
    return Objects.requireNonNull(step);
  }

  /*
   * With one of three written, strong reads ask all three, of which all nodes answer some 5500 a
   * second; two racks answer 6000 at ONE.
   */
  @Test
  void noGearIsTakenFromWhichThereIsNoWayBack() {
    seen.lagSeconds = 1e-6;
    assertThat(after(900, 6000).value(KnobId.GEAR)).hasValue(3);
    assertThat(after(900, 4500).value(KnobId.GEAR)).hasValue(2);
  }

  @Test
  void readsThatAreNeverToBeStaleAreStrongWhateverIsUnknown() {
    seen.write = 1;
    seen.missing = List.of(Observation.READS);
    Promise strong = Promise.NONE.with(Promised.READ_P99, 0.05);
    JointController controller = seen.controller(strong);
    Step<JointState> step =
        controller.decide(JointState.INITIAL, seen.signals(now, JointState.INITIAL));
    assertThat(step.state().set().reads().replicas()).isEqualTo(3);
    seen.missing = List.of(ClockObservation.CLOCKS);
    step = controller.decide(JointState.INITIAL, seen.signals(now, JointState.INITIAL));
    assertThat(step.value(KnobId.READ_LEVEL).orElseThrow().replicas()).isEqualTo(3);
    Step<JointState> stale =
        seen.controller(PROMISE).decide(JointState.INITIAL, seen.signals(now, JointState.INITIAL));
    assertThat(stale.value(KnobId.READ_LEVEL).orElseThrow().replicas()).isEqualTo(2);
  }

  /** With one of three written, reads of two replicas find what the third has missed. */
  @Test
  void aNodeThatIsBackAndDoesNotAnswerYetHasFailedStill() {
    twoAreReadOnceOneAnswersNoMore(20, second -> second >= 10 && second < 20);
  }

  /** A slow node does not answer canaries before anything says that it has failed. */
  @Test
  void aReplicaThatAnswersNoMoreHasFailedWhateverIsKnownOfItsNode() {
    twoAreReadOnceOneAnswersNoMore(5, second -> false);
  }

  private void twoAreReadOnceOneAnswersNoMore(int seconds, IntPredicate isKnownToFail) {
    seen.lagSeconds = 1e-6;
    JointController controller = seen.controller(PROMISE.with(Promised.SURVIVE, 1));
    for (int i = 0; i < 10 + seconds; i++) {
      seen.live = i < 10 ? 3 : 2;
      seen.failed = isKnownToFail.test(i) ? 1 : 0;
      now += SECOND;
      Step<JointState> step = controller.decide(state, seen.signals(now, state));
      state = step.state();
      if (i >= 10) {
        assertThat(step.value(KnobId.READ_LEVEL).orElseThrow().mean())
            .as("second %d", i)
            .isEqualTo(2);
      }
    }
  }

  /*
   * Lags grow with the work that a slower clock makes of reads; a mix of one replica and two that was
   * right for reads of one alone was a little too stale at each slower clock, so that none was taken.
   */
  @Test
  void clocksAreSlowerWhereReadsAreMixed() {
    seen.lagSeconds = 0.0012;
    seen.p99Seconds = 0.008;
    Step<JointState> step = null;
    JointController controller = seen.controller(PROMISE.with(Promised.SURVIVE, 1));
    for (int i = 0; i < 60; i++) {
      seen.write = 2;
      seen.reads = 1400;
      seen.writes = 600;
      now += SECOND;
      step = controller.decide(state, seen.signals(now, state));
      state = step.state();
    }
    assertThat(state.set().reads().shareAbove()).as("a mix, else this proves nothing").isPositive();
    assertThat(state.set().kHz()).isLessThan(2_000_000);
  }
}
