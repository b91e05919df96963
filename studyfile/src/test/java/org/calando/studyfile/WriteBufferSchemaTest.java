package org.calando.studyfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteBufferSchemaTest {
  private static StudySpec parse(String text) {
    return StudyFile.parse(text, "study.yaml", Path.of("."), List.of());
  }

  private static StudySpec study(String items) {
    return parse(
        """
        study: test
        store: {engine: hbase, local: {nodes: 3}}
        workload: {preset: gr-write-heavy, operations: 100}
        matrix: {consistency: [ONE], threads: [1], write-buffer: [%s]}
        """
            .formatted(items));
  }

  @Test
  void whatAstudyWritesIsReadAgain() {
    StudySpec spec =
        study(
            "strong, {deferred: 12MB}, {deferred: {bytes: 1MB, delay: 50ms, shared: true}},"
                + " {fresh: 500ms}, {fresh: {promise: 2s, at-risk: 7, read-your-writes: true}}");
    assertThat(parse(spec.canonicalText()).matrix()).isEqualTo(spec.matrix());
    assertThat(spec.matrix().get(0).configurations()).isEqualTo(5);
  }
}
