package org.calando.studyfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PromiseSchemaTest {
  private static final String HBASE =
      """
      study: promise
      store: {engine: hbase, local: {nodes: 3}}
      workload: {preset: gr-write-heavy, operations: 100}
      matrix: {consistency: [ONE], threads: [1]}
      """;

  @Test
  void aPromiseHoldsForAllRunsAndIsInTheCanonicalText() {
    StudySpec study = parse(HBASE + "promise: {fresh: 500ms}\n");
    assertThat(study.promisedNanos()).hasValue(500_000_000L);
    assertThat(parse(study.canonicalText()).promisedNanos()).hasValue(500_000_000L);
  }

  @Test
  void withoutOneNothingIsPromised() {
    assertThat(parse(HBASE).promisedNanos()).isEmpty();
  }

  private static StudySpec parse(String text) {
    return StudyFile.parse(text, "study.yaml", Path.of(""), List.of());
  }
}
