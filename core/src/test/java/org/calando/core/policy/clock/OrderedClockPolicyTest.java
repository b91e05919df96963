package org.calando.core.policy.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.core.policy.clock.ClockViews.HIGH;
import static org.calando.core.policy.clock.ClockViews.LOW;
import static org.calando.core.policy.clock.ClockViews.MS;
import static org.calando.core.policy.clock.ClockViews.at;
import static org.calando.core.policy.clock.ClockViews.master;
import static org.calando.core.policy.clock.ClockViews.promised;
import static org.calando.core.policy.clock.ClockViews.replica;
import static org.calando.core.policy.clock.ClockViews.set;

import java.util.Map;
import org.calando.core.policy.Step;
import org.junit.jupiter.api.Test;

class OrderedClockPolicyTest {
  private static final ClockLimits LIMITS =
      new ClockLimits(1_000 * MS, 100 * MS, 100 * MS, 1_000, 1_000, 0.5);

  private final OrderedClockPolicy policy = new OrderedClockPolicy(LIMITS);
  private ClockState state = policy.initial();
  private long now = MS;

  private Step<ClockState> after(long millis, ClockObservation.Node... nodes) {
    now += millis * MS;
    Step<ClockState> step = policy.decide(state, at(now, nodes));
    state = step.state();
    return step;
  }

  @Test
  void replicasAreAsOrderedAfterAWhileAndMastersFast() {
    policy.order(Map.of("n1", LOW, "n2", LOW, "n3", 1_500_000L));
    for (int i = 0; i < 3; i++) {
      after(100, master("n1", now), replica("n2", 0, now), replica("n3", 0, now));
    }
    Step<ClockState> step =
        after(0, master("n1", now), replica("n2", 0, now), replica("n3", 0, now));
    assertThat(set(step, "n1")).isEqualTo(HIGH);
    assertThat(set(step, "n2")).isEqualTo(LOW);
    assertThat(set(step, "n3")).as("the slowest that is fast enough").isEqualTo(1_600_000L);
  }

  @Test
  void whatIsNotOrderedIsFast() {
    for (int i = 0; i < 5; i++) {
      after(100, replica("n2", 0, now));
    }
    assertThat(set(after(0, replica("n2", 0, now)), "n2")).isEqualTo(HIGH);
  }

  @Test
  void whoMayBeTheMasterOrFallsBehindIsRaisedWhateverIsOrdered() {
    policy.order(Map.of("n2", LOW, "n3", LOW));
    for (int i = 0; i < 5; i++) {
      after(100, replica("n2", 0, now), replica("n3", 0, now));
    }
    assertThat(set(after(0, replica("n2", 0, now), replica("n3", 0, now)), "n2")).isEqualTo(LOW);
    Step<ClockState> step = after(1, promised("n2", now), replica("n3", 5_000, now));
    assertThat(set(step, "n2")).isEqualTo(HIGH);
    assertThat(set(step, "n3")).isEqualTo(HIGH);
  }
}
