package org.calando.core.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;

class NodeProfileTest {
  private static final NodeProfile NODE =
      new NodeProfile("node", 5, 75, 150, 4, 1, PowerCurve.linear(), 60, 100, "a test");

  @Test
  void wattsRunFromIdleToBusy() {
    assertThat(NODE.watts(0)).isEqualTo(75);
    assertThat(NODE.watts(0.5)).isEqualTo(112.5);
    assertThat(NODE.watts(1)).isEqualTo(150);
    assertThat(NODE.watts(1.7)).isEqualTo(150);
  }

  @Test
  void utilisationIsScaledCpuTimeOverTheTimeOfAllCores() {
    assertThat(NODE.utilisation(2, 1)).isEqualTo(0.5);
    assertThat(NODE.withCpuScale(2.5).utilisation(2, 2)).isCloseTo(0.625, within(1e-12));
    assertThat(NODE.utilisation(8, 1)).isEqualTo(2);
  }

  @Test
  void aCpuSecondCostsItsShareOfTheWayFromIdleToBusy() {
    // Four cores busy for a second are 75 J above idle.
    assertThat(4 * NODE.marginalJoulesPerCpuSecond()).isEqualTo(75);
    assertThat(NODE.withCpuScale(2).marginalJoulesPerCpuSecond()).isEqualTo(37.5);
  }

  @Test
  void everyProblemIsReportedAtOnce() {
    NodeProfile bad =
        new NodeProfile(
            " ",
            -1,
            Double.NaN,
            10,
            0,
            0,
            PowerCurve.powerLaw(-1),
            -1,
            Double.POSITIVE_INFINITY,
            "");
    assertThat(bad.problems()).hasSize(9);
    assertThatThrownBy(() -> bad.requireValid("study.yaml:12 power.profile"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("study.yaml:12")
        .hasMessageContaining("cores must be 1 or more")
        .hasMessageContaining("cpu-scale")
        .hasMessageContaining("xeon-x3440");
  }

  @Test
  void powersMustNotFallFromOffToBusy() {
    NodeProfile bad =
        new NodeProfile("node", 80, 75, 70, 4, 1, PowerCurve.linear(), 0, 0, "a test");
    assertThat(bad.problems())
        .containsExactly(
            "idle (75.0) must be at least the off power (80.0)",
            "busy (70.0) must be at least the idle power (75.0)");
  }

  @Test
  void builtInProfilesAreValidAndSayWhereTheyComeFrom() {
    assertThat(Profiles.names()).contains("xeon-x3440", "epyc-7763");
    for (String name : Profiles.names()) {
      NodeProfile profile = Profiles.byName(name).orElseThrow();
      assertThat(profile.name()).isEqualTo(name);
      assertThat(profile.requireValid("")).isSameAs(profile);
      assertThat(profile.source()).containsIgnoringCase("assumption");
    }
    assertThat(Profiles.byName("no-such-machine")).isEmpty();
  }

  @Test
  void loadLevelsOfTheBuiltInServerAreItsWatts() {
    NodeProfile server = Profiles.byName("epyc-7763").orElseThrow();
    assertThat(server.watts(0)).isEqualTo(58);
    assertThat(server.watts(0.5)).isCloseTo(169, within(1e-9));
    assertThat(server.watts(0.55)).isCloseTo(183, within(1e-9));
    assertThat(server.watts(1)).isEqualTo(272);
  }
}
