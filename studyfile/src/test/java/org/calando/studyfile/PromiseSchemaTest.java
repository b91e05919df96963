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

class PromiseSchemaTest {
  @TempDir Path folder;

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

  @Test
  void readsOfGovernedSessionsAreNotTakenForStrongerThanTheGovernorHandsThemOut()
      throws IOException {
    String refused = "clusters[0].clients.reads: is QUORUM, but with sessions: true the governor";
    for (String promise : List.of("stale: 1%", "fresh: 1s", "stale: 1%, survive: 1")) {
      assertThatThrownBy(() -> service("sessions: true, promise: {%s}", promise, "QUORUM"))
          .as(promise)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining(refused);
    }
    assertThat(service("sessions: true, promise: {%s}", "stale: 1%", "ONE").clusters()).hasSize(1);
    assertThat(service("sessions: true, promise: {%s}", "stale: 1%", "LOCAL_ONE").clusters())
        .hasSize(1);
    assertThat(service("promise: {%s}", "stale: 1%", "QUORUM").clusters()).hasSize(1);
    assertThat(service("sessions: true, promise: {%s}", "survive: 1", "QUORUM").clusters())
        .as("stronger reads survive less: that promises nothing too much")
        .hasSize(1);
  }

  private ServiceSpec service(String keys, String promise, String reads) throws IOException {
    String cluster =
        "clusters: [{name: shop, engine: cassandra, rf: 1, inventory: {nodes: [{name: n1, address:"
            + " 127.0.0.1}]}, clients: {reads: %s, writes: QUORUM}, %s}]\n";
    return StudyFile.readService(
        Files.writeString(
            folder.resolve("govern.yaml"), cluster.formatted(reads, keys.formatted(promise))),
        List.of(),
        folder::resolve);
  }

  private static StudySpec parse(String text) {
    return StudyFile.parse(text, "study.yaml", Path.of(""), List.of());
  }
}
