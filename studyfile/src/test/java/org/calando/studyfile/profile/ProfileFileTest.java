package org.calando.studyfile.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.sim.away.Stalls;
import org.calando.sim.kernel.Distribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileFileTest {
  private static final String TEXT = ProfileFile.text(TestProfile.profile());

  @TempDir private Path folder;

  @Test
  void whatIsWrittenIsReadAgain() {
    Path file = folder.resolve("new/profile.yaml");
    ProfileFile.write(TestProfile.profile(), file);
    CalibrationProfile read = ProfileFile.read(file);
    assertThat(ProfileFile.text(read)).isEqualTo(TEXT);
    assertThat(read.cluster()).isEqualTo(TestProfile.cluster());
    assertThat(read.power()).isEqualTo(TestProfile.POWER);
    assertThat(read.draws()).hasSize(2);
    assertThat(read.heldOut().orElseThrow().errors().get(Quantity.CPU).worst()).isEqualTo(0.07);
    for (Parameter parameter : Parameter.all()) {
      assertThat(read.best().get(parameter))
          .isCloseTo(
              TestProfile.profile().best().get(parameter),
              org.assertj.core.data.Percentage.withPercentage(0.001));
    }
  }

  /** The same profile of nodes with stages. */
  private static CalibrationProfile staged(boolean stalls) {
    CalibrationProfile without = TestProfile.profile();
    Optional<StageThreads> threads =
        Optional.of(
            StageThreads.parse("native=128,loops=2,mutation=32,read=16,response=2", "--stages")
                .withStalls(stalls));
    Map<Parameter, Interval> parameters = new EnumMap<>(without.parameters());
    for (Parameter parameter : Parameter.of(threads)) {
      parameters.putIfAbsent(parameter, new Interval(0.5, 0.25, 2));
    }
    return new CalibrationProfile(
        without.origin(),
        without.cluster(),
        without.range(),
        parameters,
        without.draws().stream().map(draw -> draw.with(threads)).toList(),
        without.fitErrors(),
        without.heldOut(),
        without.power(),
        threads);
  }

  @Test
  void stagesAreWrittenWithWhatTheyWereFittedToAndReadAgain() {
    String text = ProfileFile.text(staged(false));
    assertThat(text.replaceAll("\\s+", " "))
        .contains("stages: version: 1 threads:")
        .containsPattern(
            "messaging-variation: value: 0.5 low: 0.25 high: 2(\\.0)? fitted-to: .{0,4}lag");
    CalibrationProfile read = ProfileFile.parse(text, "profile.yaml");
    assertThat(ProfileFile.text(read)).isEqualTo(text);
    assertThat(read.best().stages().orElseThrow().readThreads()).isEqualTo(16);
    assertThat(read.best().get(Parameter.MESSAGING)).isEqualTo(0.5, within(1e-6));
    assertThat(read.draws().get(0).stages()).isPresent();
    assertThat(new CalibratedModel(read.best()).stages().orElseThrow().loops()).isEqualTo(2);
    assertThat(new CalibratedModel(TestProfile.profile().best()).stages()).isEmpty();
  }

  @Test
  void stallsAreWrittenWithStagesAndReadAgain() {
    String text = ProfileFile.text(staged(true));
    CalibrationProfile read = ProfileFile.parse(text, "profile.yaml");
    assertThat(ProfileFile.text(read)).isEqualTo(text);
    assertThat(read.best().stages().orElseThrow().stalls()).isTrue();
    assertThat(new CalibratedModel(read.best()).background().stalls())
        .isEqualTo(new Stalls(0.5, Distribution.exponential(0.5e6)));
    assertThat(new CalibratedModel(read.draws().get(0)).background().stalls().isNone()).isFalse();
    CalibrationProfile without = ProfileFile.parse(ProfileFile.text(staged(false)), "profile.yaml");
    assertThat(new CalibratedModel(without.best()).background().stalls()).isEqualTo(Stalls.NONE);
    refused(
        text.replaceFirst("(?m)^  stall:\\R(    .*\\R)*", ""),
        "stages.stalls: stalls have a rate and a length");
    refused(
        text.replaceFirst("(?m)^  stall:\\R(    .*\\R)*", "")
            .replaceFirst("(?m)^  stalls:\\R(    .*\\R)*", ""),
        "draws[0]: has 21 values for 19");
  }

  @Test
  void stagesThatSayTooLittleAreNamed() {
    String text = ProfileFile.text(staged(false));
    refused(text.replaceFirst("(?m)^    loops: .*\\R", ""), "stages.threads.loops: is missing");
    refused(
        text.replaceFirst("(?m)^(stages:\\R  version:) 1", "$1 2"),
        "stages.version",
        "out of range");
    refused(
        text.replaceFirst("(?m)^  read-variation:\\R(    .*\\R)*", ""),
        "stages.read-variation: is missing");
    refused(
        text.replaceFirst("(?m)^    fitted-to: .*\\R(    - .*\\R)*", ""),
        "stages.messaging.fitted-to: is missing");
    refused(text.replaceFirst("(?m)^stages:\\R(  .*\\R)*", ""), "draws[0]: has 19 values for 14");
    for (String threads : List.of("native=1", "native=1,native=2", "threads=4", "native=0")) {
      assertThatThrownBy(() -> StageThreads.parse(threads, "--stages"))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("--stages");
    }
  }

  @Test
  void aGapIsNamed() {
    refused(TEXT.replaceFirst("(?m)^  write:\\R(    .*\\R)*", ""), "parameters.write: is missing");
    refused(TEXT.replaceFirst("(?m)^power:\\R(  .*\\R)*", ""), "power: is missing");
    refused(TEXT.replaceFirst("(?m)^draws: .*\\R", ""), "draws: is missing");
    refused("{}", "version: is missing");
  }

  @Test
  void aNegativeTimeIsNamed() {
    refused(
        TEXT.replaceFirst("(?m)(^  read:\\R    value:) .*", "$1 -0.1"),
        "parameters.read.value",
        "out of range");
    refused(TEXT.replaceFirst("\"2ms\"|2ms", "-2ms"), "link-delay", "is not a duration");
  }

  @Test
  void anUnknownKeyIsNamed() {
    refused(TEXT.replaceFirst("(?m)^  read:", "  raed:"), "parameters.raed: unknown key", "read");
  }

  @Test
  void aLaterVersionIsRefusedBeforeAnythingElse() {
    refused(
        TEXT.replaceFirst("version: 1", "version: 2").replace("power:", "powers:"),
        "the profile's version is 2, this Calando knows 1");
  }

  @Test
  void powerThatCannotBeIsNamed() {
    refused(TEXT.replaceFirst("  idle: 75", "  idle: 5"), "power.idle: is below off");
    refused(TEXT.replaceFirst("  busy: 150", "  busy: 50"), "power.busy: is below idle");
  }

  @Test
  void aClusterThatCannotBeIsNamed() {
    refused(TEXT.replaceFirst("  rf: 3", "  rf: 4"), "cluster", "4 replicas");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> ProfileFile.read(folder.resolve("none.yaml")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("none.yaml")
        .hasMessageContaining("does not exist");
  }

  @Test
  void valuesBeyondTheirOwnRangeAreNamed() {
    refused(
        TEXT.replaceFirst("(?m)(^  read:\\R    value:) .*", "$1 0.9"),
        "parameters.read.value: is not between low and high");
    refused(
        TEXT.replaceFirst("  threads: \\[2, 16\\]", "  threads: [16, 2]"),
        "fitted-on.threads: goes down");
    refused(
        TEXT.replaceFirst("  read-share: \\[0.2, 0.8\\]", "  read-share: [0.2, 8]"),
        "fitted-on.read-share");
    refused(
        TEXT.replaceFirst("  cpu: \\[0.04, 0.07\\]", "  cpu: [0.07, 0.04]"),
        "held-out.cpu: has a mean above the worst");
    refused(
        TEXT.replaceFirst("0.92, 0.3, 0.4", "1.2, 0.3, 0.4"),
        "draws[0][11]: is more than capacity can be");
    refused(
        TEXT.replaceFirst("zipf:0.99", "zipf:9"),
        "fitted-on.popularity[0]: 'zipf:9' is not a popularity");
    refused(
        TEXT.replaceFirst("(?m)^  boot-watts", "  curve: [75, 150]\n  exponent: 2\n  boot-watts"),
        "power.exponent: given beside curve");
  }

  @Test
  void whatIsNoNumberIsNotWritten() {
    CalibrationProfile profile = TestProfile.profile();
    CalibrationProfile undefined =
        new CalibrationProfile(
            profile.origin(),
            profile.cluster(),
            profile.range(),
            profile.parameters(),
            profile.draws(),
            Map.of(Quantity.CPU, Double.NaN),
            profile.heldOut(),
            profile.power(),
            Optional.empty());
    assertThatThrownBy(() -> ProfileFile.text(undefined))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("NaN");
  }

  private static void refused(String text, String... words) {
    assertThat(text).isNotEqualTo(TEXT);
    assertThatThrownBy(() -> ProfileFile.parse(text, "profile.yaml"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContainingAll(words);
  }
}
