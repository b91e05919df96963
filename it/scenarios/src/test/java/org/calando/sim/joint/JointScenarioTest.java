package org.calando.sim.joint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.calando.core.observe.Promised;
import org.calando.core.policy.joint.HourlySettings;
import org.calando.core.policy.joint.HourlySettings.Load;
import org.calando.core.policy.joint.JointLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A small sample of what bench/joint-scenarios runs, and what it found. */
class JointScenarioTest {
  private static final long FIRST = Long.getLong("calando.seed", 15);
  private static final int SAMPLE = 2;
  private static final int BLOCK_SECONDS = 10;

  /** Student's 99.9 % quantile of 23 degrees of freedom, one-sided. */
  private static final double MOST_ABOVE = 3.485;

  @Test
  void nothingUnsafeIsSetAndNoPromiseIsBroken() {
    for (long seed = FIRST; seed < FIRST + SAMPLE; seed++) {
      JointScenario scenario = JointDraw.of(seed);
      JointOutcome joint = scenario.run(scenario.joint());
      assertThat(joint.unsafe()).as("seed %d, %s", seed, scenario.description()).isEmpty();
      for (Promised part : new Promised[] {Promised.STALE, Promised.READ_P99}) {
        assertThat(joint.share(part, BLOCK_SECONDS).above(joint.allowed(part)))
            .as("seed %d, %s, %s", seed, part.word(), scenario.description())
            .isLessThan(MOST_ABOVE);
      }
    }
  }

  /**
   * Reads that are never to be stale were at a quorum while figures were unknown (3), and reads
   * asked one replica where a node had returned and its replica did not answer yet (17).
   */
  @ParameterizedTest
  @ValueSource(longs = {3, 17})
  void whatOnceWasUnsafeIsNot(long seed) {
    JointScenario scenario = JointDraw.of(seed);
    assertThat(scenario.run(scenario.joint()).unsafe())
        .as("seed %d, %s", seed, scenario.description())
        .isEmpty();
  }

  @Test
  void readsAtOneBreakThePromiseOfADay() {
    DayCell cell = new DayCell(9, 3, 0.01, 0, 0.5, 1);
    HourlySettings settings =
        new HourlySettings(cell.cluster(), cell.promise(), JointLimits.defaults());
    assertThat(settings.stale(cell.known(), new Load(0.7 * 2925, 0.3 * 2925), 1))
        .as("at half of 9 x 650 operations a second")
        .isCloseTo(0.02, within(1e-3));
    assertThat(cell.hindsight())
        .isNotEmpty()
        .allSatisfy(
            plan -> assertThat(plan.hours()).hasSize(24).allMatch(hour -> hour.gear() >= 2));
  }

  @Test
  void aPartIsKeptAgainOnceItHasBeenForTenSeconds() {
    JointOutcome.Second kept = new JointOutcome.Second(100, 0, 0, 0);
    JointOutcome.Second slow = new JointOutcome.Second(100, 0, 5, 0);
    var seconds = new ArrayList<>(Collections.nCopies(40, kept));
    seconds.set(12, slow);
    seconds.set(18, slow);
    JointOutcome outcome =
        new JointOutcome(new DayCell(9, 3, 0.01, 0, 0.5, 1).promise(), seconds, 1, 0, List.of());
    assertThat(outcome.keptAgainAfter(0)).hasValue(0);
    assertThat(outcome.keptAgainAfter(10)).hasValue(9);
    assertThat(outcome.keptAgainAfter(35)).isEmpty();
    assertThat(outcome.brokenShare(1)).isEqualTo(0.05);
    assertThat(outcome.brokenShare(2)).isEqualTo(0.1);
    assertThat(outcome.share(Promised.READ_P99, 10).hits()).isEqualTo(10);
  }
}
