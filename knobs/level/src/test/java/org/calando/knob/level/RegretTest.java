package org.calando.knob.level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.calando.knob.level.Regret.Point;
import org.junit.jupiter.api.Test;

class RegretTest {
  private static final Point ONE = new Point(1, 0.12);
  private static final Point QUORUM = new Point(2, 0.03);
  private static final Point ALL = new Point(3, 0);

  @Test
  void bestMixLiesWhereTheLineBetweenTwoLevelsMeetsTheToleratedRate() {
    // From 12 % at 1 to 3 % at 2: 6 % needs two thirds of the way.
    assertThat(Regret.best(List.of(ONE, QUORUM, ALL), 0.06)).isCloseTo(1 + 2.0 / 3, within(1e-12));
    // From 3 % at 2 to 0 at 3: 1 % needs two thirds of the way.
    assertThat(Regret.best(List.of(ALL, ONE, QUORUM), 0.01)).isCloseTo(2 + 2.0 / 3, within(1e-12));
  }

  @Test
  void levelThatIsExactlyAtTheToleratedRateIsTheBest() {
    assertThat(Regret.best(List.of(ONE, QUORUM, ALL), 0.03)).isEqualTo(2);
    assertThat(Regret.best(List.of(ONE, QUORUM, ALL), 0)).isEqualTo(3);
  }

  @Test
  void weakestLevelIsTheBestWhereItIsWithin() {
    assertThat(Regret.best(List.of(ONE, QUORUM, ALL), 0.12)).isEqualTo(1);
    assertThat(Regret.best(List.of(QUORUM, ALL), 0.05)).isEqualTo(2);
  }

  @Test
  void levelAboveTheLineOfTwoOthersIsNoPartOfTheBestMix() {
    // Half of the reads at 1 and half at 3 leave 6 % at 2 replicas, and the level 2 itself 10 %.
    Point worse = new Point(2, 0.10);
    assertThat(Regret.hull(List.of(ONE, worse, ALL))).containsExactly(ONE, ALL);
    assertThat(Regret.best(List.of(ONE, worse, ALL), 0.06)).isCloseTo(2, within(1e-12));
  }

  @Test
  void ofTwoLevelsWithTheSameReplicasTheFresherCounts() {
    Point local = new Point(2, 0.05);
    assertThat(Regret.hull(List.of(ONE, QUORUM, local, ALL))).containsExactly(ONE, QUORUM, ALL);
    assertThat(Regret.hull(List.of(ONE, local, QUORUM, ALL))).containsExactly(ONE, QUORUM, ALL);
  }

  @Test
  void whereNoLevelIsWithinThereIsNoBest() {
    assertThat(Regret.best(List.of(ONE, QUORUM), 0.01)).isNaN();
    assertThat(Regret.best(List.of(), 0.5)).isNaN();
    assertThat(Regret.best(List.of(new Point(Double.NaN, 0), new Point(1, Double.NaN)), 0.5))
        .isNaN();
    assertThat(Regret.best(List.of(ONE, QUORUM, ALL), Double.NaN)).isNaN();
  }
}
