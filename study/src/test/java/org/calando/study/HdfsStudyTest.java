package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.engine.BlockLayout;
import org.calando.engine.Feature;
import org.calando.engine.hdfs.HdfsLocal;
import org.calando.studyfile.workload.FileWork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What files may say of HDFS, without one. */
class HdfsStudyTest {
  private static final String STORE =
      """
      study: test
      store: {engine: hdfs, local: {nodes: 7, gears: [3, 7], layout: paraid, offload: random, capacity: 40/s}}
      repeats: 1
      """;
  private static final String OWN_LAYOUT = STORE.replace("layout: paraid, ", "");
  private static final String FILES =
      "workload: {files: {files: 2, file-size: 2MB, streams: 1}, duration: 5s, warm-up: 1s}\n";
  private static final String GREP =
      "workload: {grep: {files: 5, file-size: 1MB, new: 2MB}, operations: 2}\n";
  private static final String MATRIX = "matrix: {gear: [1, 2], threads: [4]}\n";

  @TempDir Path folder;

  private TestStudy study(String yaml) {
    return TestStudy.of(folder, yaml);
  }

  @Test
  void aStudyOfGearsIsBound() {
    TestStudy study = study(STORE + FILES + MATRIX);
    HdfsLocal hdfs = study.spec().store().local().orElseThrow().get(HdfsLocal.class);
    assertThat(hdfs.gears()).containsExactly(3, 7);
    assertThat(hdfs.blocks()).isEqualTo(BlockLayout.PARAID);
    assertThat(hdfs.offload()).isEqualTo("random");
    assertThat(hdfs.nodePerSecond()).contains(40.0);
    assertThat(study.spec().workload().fileWork())
        .contains(new FileWork.Streams(2, 2 << 20, 4 << 20, 1 << 20, 1, 1 << 20, 8 << 20));
    assertThat(TestStudy.label(RunPlan.of(study.spec()).get(0), "consistency")).isEmpty();
    assertThat(study.spec().store().replicationFactor()).isEqualTo(2);
  }

  @Test
  void whatAFileSaysIsWrittenAndReadAlike() {
    for (String work : List.of(FILES, GREP)) {
      TestStudy study = study(STORE + work + MATRIX);
      TestStudy again = study(study.spec().canonicalText());
      assertThat(again.spec().canonicalText()).isEqualTo(study.spec().canonicalText());
      assertThat(again.spec().workload()).isEqualTo(study.spec().workload());
      assertThat(again.spec().store()).isEqualTo(study.spec().store());
    }
  }

  @Test
  void runsAreNamedByGearAndLayout() {
    String matrix = "matrix: {layout: [rabbit, paraid-per-file], gear: [1, 2], threads: [4]}\n";
    List<RunConfig> plan = RunPlan.of(study(OWN_LAYOUT + FILES + matrix).spec());
    assertThat(plan)
        .extracting(RunConfig::id)
        .containsExactlyInAnyOrder(
            "rabbit-gear-1-4t-r1",
            "rabbit-gear-2-4t-r1",
            "paraid-per-file-gear-1-4t-r1",
            "paraid-per-file-gear-2-4t-r1");
    assertThat(plan).allMatch(run -> run.tokens().isEmpty());
    assertThat(RunPlan.stretches(plan)).hasSize(2);
    assertThat(plan.get(0).words()).contains("gear ", "4 threads, repeat 1").doesNotContain(", ,");
    List<RunConfig> own = RunPlan.of(study(STORE + FILES + MATRIX).spec());
    assertThat(own).allMatch(run -> run.layout().orElseThrow().label().equals("paraid"));
    assertThat(own).noneMatch(RunConfig::startsAnew);
  }

  @Test
  void whatHdfsCannotDoIsRefused() {
    assertRefused(STORE.replace("[3, 7]", "[3, 6]") + FILES + MATRIX, "the last gear has 6 nodes");
    assertRefused(STORE.replace("gears: [3, 7], ", "") + FILES + MATRIX, "gears is missing");
    assertRefused(STORE.replace("paraid", "half") + FILES + MATRIX, "no layout of blocks");
    assertRefused(STORE.replace("nodes: 7", "nodes: 7, rf: 2") + FILES + MATRIX, "local.rf");
    assertRefused(
        STORE
                .replace("offload: random", "layout: rabbit, primaries: 5")
                .replace("layout: paraid, ", "")
            + FILES
            + MATRIX,
        "rabbit is not possible");
    assertRefused(STORE + FILES + MATRIX.replace("[1, 2]", "[3]"), "there is no gear 3");
    assertRefused(
        STORE + FILES + MATRIX.replace("gear:", "consistency: [ONE], gear:"), "has no levels");
    assertRefused(
        OWN_LAYOUT + FILES + MATRIX.replace("gear:", "layout: [even], gear:"),
        "no layout of blocks");
    assertRefused(
        STORE + "workload: {preset: heavy-read, operations: 10}\n" + MATRIX, "the store has files");
    assertRefused(STORE + FILES.replace("duration: 5s", "operations: 5") + MATRIX, "goes by time");
    assertRefused(STORE + FILES + MATRIX.replace("[4]", "[400]"), "400 on files");
    assertRefused(STORE + GREP + MATRIX.replace("threads: [4]", "rate: [4/s]"), "no rate");
    assertRefused(STORE + GREP.replace("operations: 2", "duration: 9s") + MATRIX, "are counted");
    assertRefused(
        STORE + FILES.replace("duration: 5s", "records: 5, duration: 5s") + MATRIX,
        "this is a load on files");
    assertRefused(
        STORE + FILES + MATRIX.replace("[1, 2]", "[{load: {}}]"), "asks for no more than it gets");
    assertRefused(
        STORE.replace(", capacity: 40/s", "")
            + FILES
            + "matrix: {gear: [{load: {}}], rate: [4/s]}\n",
        "the capacity of a node is not known");
  }

  @Test
  void othersCannotDoWhatHdfsDoes() {
    String cassandra = "study: test\nstore: {engine: cassandra, local: {nodes: 3}}\n";
    String preset = "workload: {preset: heavy-read, operations: 10}\n";
    String matrix = "matrix: {consistency: [ONE], threads: [4]}\n";
    assertThat(study(cassandra + preset + matrix).spec().store().supports(Feature.FILES)).isFalse();
    assertRefused(cassandra + FILES + matrix, "the store has records");
    assertRefused(cassandra + preset + "matrix: {threads: [4]}\n", "consistency: is missing");
    assertRefused(
        cassandra.replace("nodes: 3", "nodes: 3, gears: [1, 3]") + preset + matrix,
        "store.local.gears: is not supported by a local Cassandra");
    assertRefused(
        cassandra.replace("nodes: 3", "nodes: 3, layout: rabbit") + preset + matrix,
        "store.local.layout: is supported only by HDFS");
    assertRefused(
        cassandra + preset + matrix.replace("threads", "layout: [rabbit], threads"),
        "is supported only by HDFS");
  }

  private void assertRefused(String yaml, String words) {
    assertThatThrownBy(() -> study(yaml))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(words);
  }
}
