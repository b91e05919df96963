package org.calando.cli.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.workload.RequestDistribution;
import org.calando.predict.Scenario;
import org.calando.studyfile.profile.CalibrationProfile;
import org.calando.studyfile.profile.ClusterShape;
import org.calando.studyfile.profile.FittedRange;
import org.calando.studyfile.profile.FittedRange.Bounds;
import org.junit.jupiter.api.Test;

class EnergyArgumentsTest {
  private static final NodeProfile POWER = Profiles.byName(Profiles.DEFAULT).orElseThrow();
  private static final Bounds ANY = new Bounds(0, 100);
  private static final List<List<Long>> DELAYS =
      List.of(List.of(0L, 1L, 8L), List.of(1L, 0L, 8L), List.of(8L, 8L, 0L));
  private static final CalibrationProfile PROFILE =
      new CalibrationProfile(
          new CalibrationProfile.Origin(List.of("sample"), "", "", 20, 8),
          new ClusterShape(3, 3, 3, Optional.empty(), DELAYS, 2, true),
          new FittedRange(ANY, ANY, ANY, ANY, ANY, new Bounds(50, 60), ANY, List.of("zipf:0.8")),
          Map.of(),
          List.of(),
          Map.of(),
          Optional.empty(),
          POWER,
          Optional.empty());

  @Test
  void whatIsNotSaidIsAsItWasFitted() {
    Scenario scenario =
        scenario("--level", "QUORUM", "--mix", "read:50,update:50", "--threads", "20");
    assertThat(scenario.cluster()).isEqualTo(PROFILE.cluster());
    assertThat(scenario.workload().records()).isEqualTo(60);
    assertThat(scenario.workload().requests()).isEqualTo(new RequestDistribution.Zipfian(0.8));
    assertThat(scenario.read()).isEqualTo(ConsistencyLevel.QUORUM);
    assertThat(scenario.write()).isEqualTo(ConsistencyLevel.QUORUM);
    assertThat(scenario.threads()).hasValue(20);
  }

  @Test
  void everythingCanBeSaid() {
    Scenario scenario =
        scenario(
            "--level",
            "one/quorum",
            "--preset",
            "ycsb-b",
            "--rate",
            "400/s",
            "--nodes",
            "6",
            "--racks",
            "1",
            "--rf",
            "5",
            "--layout",
            "half",
            "--link-delay",
            "5ms",
            "--cores",
            "8",
            "--machines",
            "own",
            "--records",
            "1000",
            "--popularity",
            "uniform");
    assertThat(scenario.read()).isEqualTo(ConsistencyLevel.ONE);
    assertThat(scenario.write()).isEqualTo(ConsistencyLevel.QUORUM);
    assertThat(scenario.perSecond()).isEqualTo(400);
    assertThat(scenario.workload().mix().read()).isEqualTo(0.95);
    assertThat(scenario.workload().requests()).isEqualTo(new RequestDistribution.Uniform());
    assertThat(scenario.cluster().nodes()).isEqualTo(6);
    assertThat(scenario.cluster().replicationFactor()).isEqualTo(5);
    assertThat(scenario.cluster().layout()).isPresent();
    assertThat(scenario.cluster().delayNanos()).isEqualTo(List.of(List.of(5_000_000L)));
    assertThat(scenario.cluster().cores()).isEqualTo(8);
    assertThat(scenario.cluster().sharedMachine()).isFalse();
  }

  @Test
  void allThatIsWrongIsToldAtOnce() {
    assertThatThrownBy(
            () ->
                scenario(
                    "--level",
                    "MOST",
                    "--mix",
                    "read:50,scan:40",
                    "--threads",
                    "0",
                    "--rf",
                    "9",
                    "--link-delay",
                    "-1ms"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContainingAll(
            "--level: 'MOST' is not a level",
            "'scan' cannot be predicted",
            "sums to 50 %",
            "--threads: '0' is out of range",
            "--rf: '9' is too much for 3 nodes",
            "--link-delay: '-1ms' is not a duration");
  }

  @Test
  void aLoadAWorkloadAndALevelAreNeeded() {
    assertThatThrownBy(() -> scenario())
        .hasMessageContainingAll("--level", "--mix", "--preset", "--threads", "--rate");
    assertThatThrownBy(
            () ->
                scenario("--level", "ONE", "--mix", "read:100", "--threads", "1", "--rate", "1/s"))
        .hasMessageContaining("is given beside --rate");
  }

  @Test
  void delaysOfOtherNodesAreNotGuessed() {
    assertThatThrownBy(
            () ->
                scenario(
                    "--level",
                    "ONE",
                    "--mix",
                    "read:100",
                    "--threads",
                    "1",
                    "--nodes",
                    "6",
                    "--racks",
                    "1"))
        .hasMessageContaining("--link-delay: is missing");
  }

  @Test
  void figuresOfPowerGoBeforeTheProfiles() {
    NodeProfile power =
        arguments("--idle", "95", "--busy", "103", "--off", "5", "--boot", "12000").power(POWER);
    assertThat(power.idleWatts()).isEqualTo(95);
    assertThat(power.busyWatts()).isEqualTo(103);
    assertThat(power.offWatts()).isEqualTo(5);
    assertThat(power.bootSeconds() * power.bootWatts()).isEqualTo(12_000);
    assertThat(arguments().power(POWER)).isEqualTo(POWER);
  }

  @Test
  void powerThatCannotBeIsRefused() {
    assertThatThrownBy(() -> arguments("--idle", "200").power(POWER))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("idle power");
    assertThatThrownBy(() -> arguments("--boot", "-5").power(POWER)).hasMessageContaining("--boot");
  }

  private static Scenario scenario(String... given) {
    return arguments(given).scenario(PROFILE);
  }

  private static EnergyArguments arguments(String... given) {
    EnergyArguments arguments = new EnergyArguments();
    for (int i = 0; i < given.length; i += 2) {
      arguments.put(given[i], given[i + 1]);
    }
    return arguments;
  }
}
