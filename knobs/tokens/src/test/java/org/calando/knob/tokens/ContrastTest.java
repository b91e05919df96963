package org.calando.knob.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.calando.report.Statistics.Estimate;
import org.junit.jupiter.api.Test;

class ContrastTest {
  @Test
  void contrastIsTakenWithinEachBlock() {
    // Block 1: 10, 30, mean 20: -0.5 and 0.5. Block 2: 30, 50, mean 40: -0.25 and 0.25.
    List<Estimate> contrasts =
        Contrast.of(List.of(Map.of("1", 10.0, "2", 30.0), Map.of("1", 30.0, "2", 50.0)));
    assertThat(contrasts.get(0).mean()).isCloseTo(-0.375, within(1e-12));
    assertThat(contrasts.get(1).mean()).isCloseTo(0.375, within(1e-12));
    // s = 0.25 / sqrt(2), so s / sqrt(2) = 0.125; t(0.975, 1) = 12.7062.
    assertThat(contrasts.get(0).halfWidth()).isCloseTo(12.7062 * 0.125, within(1e-4));
  }

  @Test
  void tableOneOfTheThesisIsReproducedFromItsOwnBaseline() {
    // A scenario 1.04 above a mean of 100 has 204; the others make up the mean.
    List<Estimate> contrasts =
        Contrast.of(List.of(Map.of("1", 204.0), Map.of("1", 65.0), Map.of("1", 31.0)));
    assertThat(contrasts.get(0).mean()).isCloseTo(1.04, within(1e-12));
    assertThat(contrasts.get(1).mean()).isCloseTo(-0.35, within(1e-12));
    assertThat(contrasts.get(0).hasInterval()).isFalse();
  }

  @Test
  void blockThatLacksAScenarioIsLeftOut() {
    List<Estimate> contrasts =
        Contrast.of(List.of(Map.of("1", 10.0, "2", 1000.0), Map.of("1", 30.0)));
    assertThat(contrasts.get(0).n()).isEqualTo(1);
    assertThat(contrasts.get(0).mean()).isCloseTo(-0.5, within(1e-12));
  }

  @Test
  void withoutACompleteBlockTheMeansAreContrasted() {
    List<Estimate> contrasts = Contrast.of(List.of(Map.of("1", 10.0), Map.of("2", 30.0)));
    assertThat(contrasts.get(0).mean()).isCloseTo(-0.5, within(1e-12));
    assertThat(contrasts.get(0).hasInterval()).isFalse();
  }

  @Test
  void scenarioWithoutFiguresIsNoPartOfTheBaseline() {
    List<Estimate> contrasts = Contrast.of(List.of(Map.of("1", 10.0), Map.of(), Map.of("1", 30.0)));
    assertThat(contrasts.get(0).mean()).isCloseTo(-0.5, within(1e-12));
    assertThat(contrasts.get(1).present()).isFalse();
  }
}
