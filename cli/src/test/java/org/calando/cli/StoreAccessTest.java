package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Endpoint;
import org.calando.studyfile.StudyFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreAccessTest {
  @TempDir Path folder;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private Path inventory() throws IOException {
    return write(
        "inventory.yaml",
        "nodes:\n- {name: n1, address: 127.0.0.9, port: 9999, datacenter: east}\n");
  }

  @Test
  void anInventoryAloneIsAskedAsItIs() throws IOException {
    CassandraStoreConfig config = StoreAccess.read(inventory(), List.of());
    assertThat(config.contactPoints()).containsExactly(new Endpoint("127.0.0.9", 9999));
    assertThat(config.localDataCentre()).hasValue("east");
    assertThatThrownBy(() -> StoreAccess.read(inventory(), List.of("a=b")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("--set is for study files");
  }

  @Test
  void aStudyOnAnInventoryTellsHowToGetIn() throws IOException {
    inventory();
    write("secret", "open\n");
    Path study =
        write(
            "study.yaml",
            """
            study: live
            store: {engine: cassandra, inventory: inventory.yaml, rf: 1, user: me, password-file: secret,
              jmx-user: monitor, jmx-password-file: secret}
            workload: {preset: ycsb-a, records: 10, operations: 10}
            matrix: {consistency: [ONE], threads: [1]}
            """);
    CassandraStoreConfig config = StoreAccess.read(study, List.of());
    assertThat(config.contactPoints()).hasSize(1);
    assertThat(config.credentials().orElseThrow().user()).isEqualTo("me");
    assertThat(config.jmxCredentials().orElseThrow().user()).isEqualTo("monitor");
    assertThat(StoreAccess.inventory(study).nodes()).hasSize(1);
  }

  @Test
  void aStudyThatStartsItsOwnClusterIsRefused() throws IOException {
    Path study =
        write(
            "own.yaml",
            """
            study: own
            store: {engine: cassandra, local: {nodes: 3, rf: 3}}
            workload: {preset: ycsb-a, records: 10, operations: 10}
            matrix: {consistency: [ONE], threads: [1]}
            """);
    assertThatThrownBy(() -> StoreAccess.read(study, List.of()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("starts a cluster of its own")
        .hasMessageContaining("own.yaml");
  }

  @Test
  void anInventoryOfAnotherEngineIsRefused() throws IOException {
    Path inventory = folder.resolve("hbase.yaml");
    Files.writeString(
        inventory,
        "hbase: {quorum: [\"10.0.0.1:2181\"]}\nnodes: [{name: c1, address: 10.0.0.1}]\n");
    assertThat(StudyFile.readInventory(inventory).nodes().get(0).port()).isEqualTo(16_020);
    assertThatThrownBy(() -> StoreAccess.read(inventory, List.of()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("HBase");
  }
}
