package org.calando.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.calando.core.store.ConsistencyLevel;
import org.calando.studyfile.profile.Quantity;
import org.junit.jupiter.api.Test;

class ConfigurationTest {
  private static final Scenario SEVERAL = Samples.closed(0.5, ConsistencyLevel.ONE, 4);
  private static final Scenario ONE = Samples.closed(0.5, ConsistencyLevel.ALL, 4);

  @Test
  void aSingleRunIsAsUncertainAsARunOfTheOthers() {
    List<Configuration> all =
        Configuration.of(List.of(run(SEVERAL, 1, 100), run(SEVERAL, 2, 121), run(ONE, 1, 80)));
    double ofOneRun = Configuration.pooledError(all, Quantity.THROUGHPUT);
    assertThat(ofOneRun).isCloseTo(Math.log(1.21) / Math.sqrt(2), within(1e-12));
    assertThat(all.get(0).relativeError(Quantity.THROUGHPUT, ofOneRun))
        .isCloseTo(ofOneRun / Math.sqrt(2), within(1e-12));
    assertThat(all.get(1).relativeError(Quantity.THROUGHPUT, ofOneRun)).isEqualTo(ofOneRun);
    assertThat(Target.of(all, false))
        .filteredOn(t -> t.configuration() == 1 && t.quantity() == Quantity.THROUGHPUT)
        .singleElement()
        .satisfies(target -> assertThat(target.error()).isEqualTo(ofOneRun));
  }

  @Test
  void withoutAnyRepeatRunsAreTakenToBeAsUncertainAsTheModel() {
    List<Configuration> all = Configuration.of(List.of(run(SEVERAL, 1, 100), run(ONE, 1, 80)));
    assertThat(Configuration.pooledError(all, Quantity.CPU)).isEqualTo(Quantity.CPU.modelError());
  }

  private static MeasuredRun run(Scenario scenario, int repeat, double throughput) {
    return Samples.run(
        scenario,
        repeat,
        new Figures(throughput, 1, 1, 1, 1, 100, 0, List.of(0.1), Figures.Tails.UNKNOWN));
  }
}
