package org.calando.sim.gear;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.calando.load.LoadDays.Shape;
import org.calando.sim.gear.GearWeeks.Week;
import org.junit.jupiter.api.Test;

/** A sample of bench/daytrace. */
class GearWeeksTest {
  @Test
  void everyPolicySavesInAnOfficesWeekAndHindsightMost() {
    GearWeeks weeks = new GearWeeks(Shape.STEEP, List.of(3, 7), 0.1, 60, 1.5, 2, 1, 7);
    List<Week> results = weeks.run();
    assertThat(results).hasSize(GearContender.values().length);
    double most = saving(results, GearContender.HINDSIGHT);
    for (GearContender contender : GearContender.values()) {
      assertThat(saving(results, contender)).as(contender.label()).isBetween(0.1, most + 1e-9);
    }
    assertThat(violation(results, GearContender.HINDSIGHT)).isLessThan(60);
    assertThat(violation(results, GearContender.FORECAST))
        .isLessThan(violation(results, GearContender.LOAD));
    assertThat(weeks.run()).isEqualTo(results);
  }

  @Test
  void whatIsOffSavesLessTheMoreItDraws() {
    double off = saving(weeks(0, 60), GearContender.HINDSIGHT);
    double dozing = saving(weeks(0.3, 60), GearContender.HINDSIGHT);
    double slow = saving(weeks(0, 300), GearContender.HINDSIGHT);
    assertThat(dozing).isLessThan(off * 0.75);
    assertThat(slow).isLessThan(off);
  }

  private static List<Week> weeks(double offShare, double bootSeconds) {
    return new GearWeeks(Shape.ROUND, List.of(2, 4, 7), offShare, bootSeconds, 2, 0, 1, 3).run();
  }

  private static double saving(List<Week> results, GearContender contender) {
    return of(results, contender).saving();
  }

  private static double violation(List<Week> results, GearContender contender) {
    return of(results, contender).account().violationSeconds();
  }

  private static Week of(List<Week> results, GearContender contender) {
    return results.stream().filter(week -> week.contender() == contender).findFirst().orElseThrow();
  }
}
