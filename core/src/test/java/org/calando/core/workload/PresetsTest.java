package org.calando.core.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.calando.core.workload.RequestDistribution.Latest;
import org.calando.core.workload.RequestDistribution.ScrambledZipfian;
import org.calando.core.workload.RequestDistribution.Uniform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PresetsTest {
  @ParameterizedTest
  @CsvSource({
    "ycsb-a, 0.5, 0.5, 0, 0, 0",
    "ycsb-b, 0.95, 0.05, 0, 0, 0",
    "ycsb-c, 1, 0, 0, 0, 0",
    "ycsb-d, 0.95, 0, 0.05, 0, 0",
    "ycsb-e, 0, 0, 0.05, 0.95, 0",
    "ycsb-f, 0.5, 0, 0, 0, 0.5",
    "heavy-update, 0.2, 0.8, 0, 0, 0",
    "moderate, 0.6, 0.4, 0, 0, 0",
    "heavy-read, 0.8, 0.2, 0, 0, 0",
    "gr-write-heavy, 0.2, 0.8, 0, 0, 0",
    "gr-read-heavy, 0.8, 0.2, 0, 0, 0",
    "gr-balanced, 0.5, 0.5, 0, 0, 0",
    "memtier-set, 0, 1, 0, 0, 0",
    "memtier-get, 1, 0, 0, 0, 0",
    "harmony, 0.5, 0.5, 0, 0, 0",
    "li-heavy-update, 0.2, 0.8, 0, 0, 0"
  })
  void presetsHaveTheirMix(
      String name, double read, double update, double insert, double scan, double modify) {
    assertThat(workload(name).mix()).isEqualTo(new Mix(read, update, insert, scan, modify));
  }

  @Test
  void everyNameAndAliasGivesAValidWorkloadOfOneKilobyteRecordsAndASource() {
    assertThat(Presets.names()).hasSize(14).doesNotContainAnyElementsOf(Presets.aliases());
    for (String name : Presets.names()) {
      check(name);
    }
    for (String alias : Presets.aliases()) {
      check(alias);
    }
  }

  @Test
  void requestsAreSpreadAsThePapersSay() {
    assertThat(workload("ycsb-a").requests()).isEqualTo(new ScrambledZipfian(0.99));
    assertThat(workload("ycsb-d").requests()).isEqualTo(new Latest());
    assertThat(workload("ycsb-e").scanLengths()).isEqualTo(Lengths.uniform(1, 100));
    assertThat(workload("moderate").requests()).isEqualTo(new ScrambledZipfian(0.99));
    assertThat(workload("gr-balanced").requests()).isEqualTo(new Uniform());
  }

  @Test
  void anUnknownNameIsNoPreset() {
    assertThat(Presets.byName("ycsb-g")).isEmpty();
    assertThat(Presets.source("ycsb-g")).isEmpty();
  }

  @Test
  void changingOneBuilderLeavesThePresetAlone() {
    Presets.byName("ycsb-a").orElseThrow().records(7);
    assertThat(workload("ycsb-a").records()).isEqualTo(1000);
  }

  private static void check(String name) {
    Workload workload = workload(name);
    assertThat(workload.validate()).as(name).isEmpty();
    int version = workload.fields() == 1 ? Long.BYTES : 0;
    int kilobyte = workload.fields() == 1 ? 1024 : 1000;
    assertThat(workload.fields() * workload.fieldLengths().max() + version)
        .as(name)
        .isEqualTo(kilobyte);
    assertThat(Presets.source(name)).as(name).isPresent();
  }

  private static Workload workload(String name) {
    return Presets.byName(name).orElseThrow().build();
  }
}
