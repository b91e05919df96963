package org.calando.studyfile.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.calando.core.BadRequestException;
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
            profile.power());
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
