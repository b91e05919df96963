package org.calando.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.energy.NodeProfile;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;

class PowerFitTest {
  @Test
  void idleAndBusyAreTheEndsOfTheMeasuredLine() {
    NodeProfile fitted = PowerFit.of(runs(90, 170, 0.05, 0.2, 0.4, 0.6, 0.8));
    assertThat(fitted.idleWatts()).isCloseTo(90, within(1e-6));
    assertThat(fitted.busyWatts()).isCloseTo(170, within(1e-6));
    assertThat(fitted.bootSeconds()).isEqualTo(Samples.POWER.bootSeconds());
    assertThat(fitted.source()).contains("measured watts of 5 runs");
  }

  @Test
  void tooFewOrTooLikeRunsLeaveTheProfileAsItIs() {
    assertThat(PowerFit.of(runs(90, 170, 0.1, 0.9))).isEqualTo(Samples.POWER);
    assertThat(PowerFit.of(runs(90, 170, 0.5, 0.51, 0.52, 0.53, 0.54))).isEqualTo(Samples.POWER);
    assertThat(PowerFit.of(runs(Double.NaN, Double.NaN, 0.1, 0.3, 0.5, 0.7, 0.9)))
        .isEqualTo(Samples.POWER);
  }

  private static List<MeasuredRun> runs(double idle, double busy, double... shares) {
    List<MeasuredRun> runs = new ArrayList<>();
    for (double share : shares) {
      Figures figures =
          new Figures(
              1, 1, 1, 1, 1, 1, 0, List.of(share * Samples.POWER.cores()), Figures.Tails.UNKNOWN);
      runs.add(
          new MeasuredRun(
              "run",
              "study",
              "workload",
              1,
              Samples.closed(0.5, ConsistencyLevel.ONE, 1),
              figures,
              idle + (busy - idle) * share,
              Samples.POWER));
    }
    return runs;
  }
}
