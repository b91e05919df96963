package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PollAgesTest {
  @Test
  void agesLieCloseAroundTheLagExpectedAndGrowByHalfBeyond() {
    PollAges ages = new PollAges(0.020);
    List<Double> all = new ArrayList<>();
    for (double age = 0; age < 0.1; age = ages.after(age)) {
      all.add(age);
    }
    assertThat(all.subList(0, 6))
        .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-12 ? 0 : Double.compare(a, b))
        .containsExactly(0.0, 0.010, 0.016, 0.019, 0.022, 0.026);
    assertThat(ages.after(0.040)).isCloseTo(0.060, within(1e-12));
  }

  @Test
  void aDeadlineIsReachedAfterFewAges() {
    PollAges ages = new PollAges(0.0005);
    int asked = 0;
    for (double age = 0; age < 2; age = ages.after(age)) {
      asked++;
    }
    assertThat(asked).isLessThan(30);
  }
}
