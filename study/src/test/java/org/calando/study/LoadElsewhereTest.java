package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadElsewhereTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"cassandra, ', rf: 1', ''", "hbase, '', 'hbase: {quorum: [10.0.0.9]}'"})
  void itIsRefusedUnlessAllowedAndNothingIsWritten(
      String engine, String replicas, String inventory) {
    TestStudy.write(
        folder.resolve("cluster.yaml"),
        inventory + "\nnodes: [{name: c1, address: 127.example.org}]\n");
    TestStudy study =
        TestStudy.of(
            folder,
            """
            study: elsewhere
            store: {engine: %s, inventory: cluster.yaml%s}
            workload: {preset: heavy-update, operations: 10}
            matrix: {consistency: [ONE], threads: [1]}
            """
                .formatted(engine, replicas));
    assertThatThrownBy(study::run)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("not on this machine")
        .hasMessageContaining("--allow-load");
    assertThat(study.out()).doesNotExist();
  }
}
