package org.calando.studyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GearGovernSchemaTest {
  @TempDir Path folder;

  private Path file(String yaml) throws IOException {
    return Files.writeString(folder.resolve("govern.yaml"), yaml);
  }

  @Test
  void everythingMayBeSaid() throws IOException {
    Path file =
        file(
            "gears: {inventory: mine.yaml, policy: {load: {head-room: 30%}}, capacity: 60MB,"
                + " period: 10s, profile: epyc-7763, bandwidth: 20MB}\n");
    assertThat(StudyFile.isGearGovernor(file)).isTrue();
    assertThat(StudyFile.isGovernor(file)).isFalse();
    GearGovernSpec spec = StudyFile.readGearGovern(file, List.of("gears.period=5s"));
    assertThat(spec.inventory()).contains("mine.yaml");
    assertThat(spec.policy().label()).isEqualTo("load(30%)");
    assertThat(spec.nodeMegabytesPerSecond()).isEqualTo(62.914560);
    assertThat(spec.periodNanos()).isEqualTo(5_000_000_000L);
    assertThat(spec.profile()).isEqualTo("epyc-7763");
    assertThat(spec.bandwidth()).contains(20L << 20);
  }

  @Test
  void oneClusterIsToBeNamed() throws IOException {
    assertRefused("gears: {policy: 1, capacity: 1MB}\n", "gears.inventory: is missing");
    assertRefused(
        "gears: {policy: 1, capacity: 1MB, local: true, inventory: a.yaml}\n",
        "given beside local");
    assertRefused("gears: {local: true, capacity: 1MB}\n", "gears.policy: is missing");
    assertRefused("gears: {local: true, policy: 1}\n", "gears.capacity: is missing");
  }

  private void assertRefused(String yaml, String words) throws IOException {
    Path file = file(yaml);
    assertThatThrownBy(() -> StudyFile.readGearGovern(file, List.of()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(words);
  }
}
