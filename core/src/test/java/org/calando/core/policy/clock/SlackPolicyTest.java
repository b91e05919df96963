package org.calando.core.policy.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.calando.core.policy.clock.ClockViews.CLOCKS;
import static org.calando.core.policy.clock.ClockViews.HIGH;
import static org.calando.core.policy.clock.ClockViews.LOW;
import static org.calando.core.policy.clock.ClockViews.MS;
import static org.calando.core.policy.clock.ClockViews.at;
import static org.calando.core.policy.clock.ClockViews.replica;
import static org.calando.core.policy.clock.ClockViews.serving;
import static org.calando.core.policy.clock.ClockViews.set;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.calando.core.policy.Step;
import org.calando.core.policy.clock.ClockObservation.Node;
import org.calando.core.policy.clock.ClockObservation.Work;
import org.junit.jupiter.api.Test;

class SlackPolicyTest {
  /** Lowers at once, so that one decision shows the choice. */
  private static final ClockLimits LIMITS = ClockLimits.defaults().withWaits(0, 0);

  private static final SlackPolicy SLACK = new SlackPolicy(LIMITS, SlackLimits.defaults());

  @Test
  void theLowestClockIsTakenAtWhichItIsNotTooBusy() {
    // Busy for b at 2.2 GHz is b * 2.2 / f at f; the limit is 60 %.
    assertThat(choice(writes(0.1))).isEqualTo(LOW);
    assertThat(choice(writes(0.27))).isEqualTo(LOW);
    assertThat(choice(writes(0.28))).isEqualTo(1_200_000);
    assertThat(choice(writes(0.40))).isEqualTo(1_600_000);
    assertThat(choice(writes(0.54))).isEqualTo(2_000_000);
    assertThat(choice(writes(0.60))).isEqualTo(HIGH);
    assertThat(choice(writes(0))).isEqualTo(LOW);
  }

  @Test
  void whatWasMeasuredAtALowClockIsScaledFromThere() {
    // 44 % at 1.0 GHz is 20 % at 2.2 GHz, and 66 % at 1.0 GHz is 30 %.
    assertThat(choice(new Work(0, LOW, 0.44, 20_000, 22_000, 0, Double.NaN))).isEqualTo(LOW);
    assertThat(choice(new Work(0, LOW, 0.66, 30_000, 22_000, 0, Double.NaN))).isEqualTo(1_200_000);
  }

  @Test
  void theForecastIsThatOfQueueingTheory() {
    // M/M/1: 0.3 busy at twice the speed is 0.6, and a write stays for service / (1 - busy).
    Work work = new Work(0, 2_000_000, 0.3, 30_000, 10_000, 0, Double.NaN);
    ClockForecast same = ClockForecast.of(work, 2_000_000);
    assertThat(same.lagFactor()).isCloseTo(1, within(1e-12));
    assertThat(same.waitNanos() + 10_000).isCloseTo(10_000 / 0.7, within(1e-6));
    ClockForecast half = ClockForecast.of(work, 1_000_000);
    assertThat(half.busyShare()).isCloseTo(0.6, within(1e-12));
    assertThat(half.waitNanos() + 20_000).isCloseTo(20_000 / 0.4, within(1e-6));
    assertThat(half.lagFactor()).isCloseTo((20_000 / 0.4) / (10_000 / 0.7), within(1e-9));
    assertThat(ClockForecast.of(work, 500_000).waitNanos()).isInfinite();
    assertThat(ClockForecast.of(work, 500_000).lagFactor()).isInfinite();
  }

  @Test
  void theLagThatIsPredictedStaysWithinPartOfTheGuardsLimit() {
    Work work = writes(0.25);
    long limit = LIMITS.lagBytes();
    long lag = (long) (0.5 * limit / ClockForecast.of(work, LOW).lagFactor());
    assertThat(set(decide(replica("n2", lag, 0, Optional.of(work))), "n2")).isEqualTo(LOW);
    assertThat(set(decide(replica("n2", lag + 1, 0, Optional.of(work))), "n2"))
        .isEqualTo(1_200_000);
    assertThat(set(decide(replica("n2", limit, 0, Optional.of(work))), "n2")).isEqualTo(HIGH);
  }

  @Test
  void readsOfReplicasStayFastEnough() {
    // 0.2 busy with reads of 50 us: 110 us at 1.0 GHz, and a wait of 110 us * 0.44 / 0.56.
    Work work = new Work(0, HIGH, 0.2, 0, Double.NaN, 4_000, 50_000);
    assertThat(ClockForecast.of(work, LOW).readNanos()).isCloseTo(110_000 / 0.56, within(1e-6));
    assertThat(choice(work)).isEqualTo(LOW);
    SlackPolicy strict = new SlackPolicy(LIMITS, new SlackLimits(0.6, 0.5, 150_000));
    Node reader = serving(replica("n2", 0, 0, Optional.of(work)));
    // 50 us k / (1 - 0.2 k) is 150 us at k = 1.875.
    assertThat(set(strict.decide(ClockState.INITIAL, at(0, reader)), "n2")).isEqualTo(1_200_000);
    // A replica that nobody reads from has no such limit.
    Node other = replica("n2", 0, 0, Optional.of(work));
    assertThat(set(strict.decide(ClockState.INITIAL, at(0, other)), "n2")).isEqualTo(LOW);
  }

  @Test
  void withoutSoundFiguresOfLateTheClockIsTheHighest() {
    double nan = Double.NaN;
    for (Work wrong :
        List.of(
            new Work(0, HIGH, nan, 1, 1, 1, 1),
            new Work(0, HIGH, -0.1, 1, 1, 1, 1),
            new Work(0, HIGH, 1, 1, 1, 1, 1),
            new Work(0, 0, 0.1, 1, 1, 1, 1),
            new Work(0, HIGH, 0.1, nan, 1, 1, 1),
            new Work(0, HIGH, 0.1, 1, nan, 1, 1),
            new Work(0, HIGH, 0.1, 1, 1, Double.POSITIVE_INFINITY, 1),
            new Work(0, HIGH, 0.1, 1, 1, 1, -1))) {
      assertThat(choice(wrong)).as(wrong.toString()).isEqualTo(HIGH);
    }
    Step<ClockState> unmeasured = decide(replica("n2", 0, 0));
    assertThat(set(unmeasured, "n2")).isEqualTo(HIGH);
    assertThat(unmeasured.reasons()).contains("n2 2.2 GHz: its work was not measured");
    long late = LIMITS.maxAgeNanos() + 1;
    Node old = replica("n2", 0, late, Optional.of(writes(0.1)));
    assertThat(set(SLACK.decide(ClockState.INITIAL, at(late, old)), "n2")).isEqualTo(HIGH);
  }

  @Test
  void moreWorkRaisesAtOnceAndLessLowersToTheHighestOfTheMeantime() {
    SlackPolicy slack = new SlackPolicy(ClockLimits.defaults(), SlackLimits.defaults());
    ClockState state = ClockState.INITIAL;
    long now = 0;
    double[] busy = new double[60];
    Arrays.fill(busy, 0.1);
    busy[10] = 0.4;
    busy[45] = 0.3;
    long[] expected = new long[60];
    Arrays.fill(expected, 0, 20, HIGH);
    // Lowered after 2 s, to what the tenth decision still asked for; 2 s later to the lowest.
    Arrays.fill(expected, 20, 41, 1_600_000);
    Arrays.fill(expected, 41, 60, LOW);
    Arrays.fill(expected, 45, 60, 1_200_000);
    for (int i = 0; i < busy.length; i++) {
      Work work = new Work(now, HIGH, busy[i], busy[i] * 1e5, 10_000, 0, 0);
      Step<ClockState> step =
          slack.decide(state, at(now, replica("n2", 0, now, Optional.of(work))));
      assertThat(set(step, "n2")).as("decision " + i).isEqualTo(expected[i]);
      state = step.state();
      now += 100 * MS;
    }
  }

  @Test
  void limitsThatCannotBeAreRefused() {
    assertThatThrownBy(() -> new SlackLimits(1, 0.5, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ClockLimits(0, 0, 0, 0, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ClockLimits.defaults().withWaits(2, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(CLOCKS).contains(HIGH, LOW);
  }

  /** Writes of 10 us that keep a core busy for a share of the time at 2.2 GHz. */
  private static Work writes(double busyShare) {
    return new Work(0, HIGH, busyShare, busyShare * 1e5, 10_000, 0, Double.NaN);
  }

  private static long choice(Work work) {
    return set(decide(serving(replica("n2", 0, 0, Optional.of(work)))), "n2");
  }

  private static Step<ClockState> decide(Node node) {
    return SLACK.decide(ClockState.INITIAL, at(0, node));
  }
}
