package org.calando.studyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.engine.InventorySpec;
import org.calando.engine.StoreSpec;
import org.calando.engine.TlsSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataCentresTest {
  private static final String TWO =
      "{datacenter: east, nodes: [{name: a, address: h1}, {name: b, address: h2},"
          + " {name: c, address: h3, datacenter: west}]}";
  private static final String UNTOLD =
      "{nodes: [{name: a, address: h1}, {name: b, address: h2}, {name: c, address: h3}]}";

  private static StoreSpec store(String inventory, String more, String levels) {
    String text =
        """
        study: test
        store: {engine: cassandra, inventory: %s, %s}
        workload: {preset: heavy-update, operations: 10}
        matrix: {consistency: [%s], threads: [1]}
        """
            .formatted(inventory, more, levels);
    return StudyFile.parse(text, "study.yaml", Path.of(""), List.of()).store();
  }

  @Test
  void replicasOfEachDataCentreAndTheLocalOneAreBound() {
    StoreSpec store =
        store(TWO, "rf: {east: 2, west: 1}, local-dc: west", "LOCAL_ONE, EACH_QUORUM, THREE");
    assertThat(store.replicationFactor()).isEqualTo(3);
    assertThat(store.replicas().byDatacenter()).isEqualTo(Map.of("east", 2, "west", 1));
    assertThat(store.replicas().localDatacenter()).contains("west");
    assertThat(store.placement().local()).isEqualTo("west");
    InventorySpec inventory = store.inventory().orElseThrow();
    assertThat(inventory.datacenters()).containsExactly("east", "west");
    assertThat(inventory.datacenterOf(inventory.nodes().get(2))).contains("west");
  }

  @Test
  void theOnlyDataCentreIsTheLocalOne() {
    assertThat(store(UNTOLD, "rf: {east: 3}", "ONE").replicas().localDatacenter()).contains("east");
    assertThat(store(UNTOLD, "rf: 3", "ONE").replicas().localDatacenter())
        .isEqualTo(Optional.empty());
    String told = UNTOLD.replace("{nodes", "{datacenter: east, nodes");
    assertThat(store(told, "rf: 3", "ONE").replicas().localDatacenter()).contains("east");
    assertThat(store(told, "rf: 3", "ONE").replicas().byDatacenter()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rf: 3, local-dc: east | ONE | rf: is one number for 2 data centres",
        "rf: {east: 1} | ONE | local-dc: is missing: the nodes are in 2 data centres",
        "rf: {east: 1}, local-dc: north | ONE | local-dc: no node of the inventory is in 'north'",
        "rf: {east: 1}, local-dc: west | ONE | local-dc: has no replicas",
        "rf: {east: 1, north: 1}, local-dc: east | ONE | rf.north: no node of the inventory",
        "rf: {east: 1, west: 2}, local-dc: east | ONE | rf.west: 2 is more than the 1 nodes",
        "rf: {east: 2, west: 2}, local-dc: east | ONE | rf: 4 is more than the 3 nodes",
        "rf: {east: 0}, local-dc: east | ONE | rf.east: '0' is out of range",
        "rf: {}, local-dc: east | ONE | rf: is empty",
        "rf: {east: 1, west: 1}, local-dc: east | THREE | THREE needs 3 replicas",
      })
  void whatDoesNotFitIsTold(String more, String level, String expected) {
    assertThatThrownBy(() -> store(TWO, more, level))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tls: {ca: a, truststore: b, truststore-password-file: c} | truststore",
        "tls: {truststore: b} | needs truststore-password-file too",
        "tls: {certificate: b} | needs key too",
        "tls: {certificate: a, key: b, keystore: c, keystore-password-file: d} | keystore",
        "jmx-user: me | jmx-password-file",
      })
  void halfOfAPairIsTold(String more, String expected) {
    assertThatThrownBy(() -> store(UNTOLD, "rf: 3, " + more, "ONE"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(expected);
  }

  @Test
  void tlsIsBound() {
    TlsSpec tls = store(UNTOLD, "rf: 3, tls: {ca: ca.pem}", "ONE").tls().orElseThrow();
    assertThat(tls.ca()).contains("ca.pem");
    assertThat(tls.verifyHostname()).isTrue();
    assertThat(store(UNTOLD, "rf: 3, tls: {}", "ONE").tls()).isPresent();
  }
}
