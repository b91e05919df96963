package org.calando.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.energy.Profiles;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.ClusterNode;
import org.calando.store.cassandra.Replication;
import org.calando.studyfile.StoreSpec;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InventoryTargetTest {
  private static final String REST =
      """
      workload: {preset: heavy-update, operations: 10}
      matrix: {consistency: [ONE], threads: [1]}
      """;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.43.0.2", "localhost", "::1"})
  void loopbackIsThisMachine(String address) throws IOException {
    assertThat(isOnThisMachine(address)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.1", "127.example.org", "localhost.example.org", "1127.0.0.1"})
  void everythingElseIsNot(String address) throws IOException {
    assertThat(isOnThisMachine(address)).isFalse();
  }

  @Test
  void oneNodeElsewhereMakesTheClusterRemote() throws IOException {
    StoreSpec store =
        store("", "nodes: [{name: c1, address: 127.0.0.1}, {name: c2, address: 10.0.0.1}]");
    assertThat(InventoryTarget.isOnThisMachine(store.inventory().orElseThrow())).isFalse();
  }

  @Test
  void loadElsewhereIsRefusedUnlessAllowed() throws IOException {
    StudySpec study = study("", "nodes: [{name: c1, address: 127.example.org}]");
    assertThatThrownBy(() -> new LoadBounds(study, false).requireAllowed())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("not on this machine")
        .hasMessageContaining("--allow-load")
        .hasMessageContaining("keyspace calando");
    new LoadBounds(study, true).requireAllowed();
  }

  @Test
  void nodesKeepTheirOwnProfileAndProcess() throws IOException {
    StoreSpec store =
        store(
            "",
            """
            nodes:
              - {name: c1, address: 127.0.0.1, rack: r1, profile: epyc-7763, pid: 4711}
              - {name: c2, address: 127.0.0.2}
            """);
    InventoryTarget target = target(store);
    Target.Node first = target.nodes().get(0);
    Target.Node second = target.nodes().get(1);
    assertThat(first.profile().name()).isEqualTo("epyc-7763");
    assertThat(first.pid()).hasValue(4711);
    assertThat(first.rack()).isEqualTo("r1");
    assertThat(first.log()).isEmpty();
    assertThat(second.profile().name()).isEqualTo("xeon-x3440");
    assertThat(second.pid()).isEmpty();
    assertThat(second.rack()).isEmpty();
    assertThat(target.heal()).isEmpty();
  }

  @Test
  void theConnectionTakesWhatTheInventorySays() throws IOException {
    CassandraStoreConfig config =
        target(
                store(
                    ", keyspace: mine, request-timeout: 3s",
                    """
                    datacenter: west
                    nodes:
                      - {name: c1, address: 127.0.0.1, port: 9142, jmx: "127.0.0.1:7299"}
                      - {name: c2, address: 127.0.0.2, jmx: "127.0.0.2:7199"}
                    """))
            .store();
    assertThat(config.contactPoints().toString()).contains("127.0.0.1:9142", "127.0.0.2:9042");
    assertThat(config.jmxEndpoints().toString()).contains("127.0.0.1:7299", "127.0.0.2:7199");
    assertThat(config.keyspace()).isEqualTo("mine");
    assertThat(config.requestTimeout()).hasSeconds(3);
    assertThat(config.localDataCentre()).contains("west");
    assertThat(config.replication()).isEqualTo(new Replication.NetworkTopology(Map.of("west", 1)));
    assertThat(config.credentials()).isEmpty();
  }

  @Test
  void withoutADataCentreReplicationIsSimpleAndJmxIsUsedForAllNodesOrNone() throws IOException {
    CassandraStoreConfig config =
        target(
                store(
                    "",
                    """
                    nodes:
                      - {name: c1, address: 127.0.0.1, jmx: "127.0.0.1:7299"}
                      - {name: c2, address: 127.0.0.2}
                    """))
            .store();
    assertThat(config.replication()).isEqualTo(new Replication.Simple(1));
    assertThat(config.localDataCentre()).isEmpty();
    assertThat(config.jmxEndpoints()).isEmpty();
  }

  @Test
  void thePasswordsFileIsBesideTheStudyAndThePasswordInNoText() throws IOException {
    Files.writeString(folder.resolve("secret"), "hunter2\n");
    CassandraStoreConfig config =
        target(
                store(
                    ", user: calando, password-file: secret",
                    "nodes: [{name: c1, address: 127.0.0.1}]"))
            .store();
    assertThat(config.credentials().orElseThrow().user()).isEqualTo("calando");
    assertThat(config.credentials().orElseThrow().password()).isEqualTo("hunter2");
    assertThat(config.toString()).doesNotContain("hunter2");
  }

  @Test
  void dataCentresTlsAndTheUserOfJmxReachTheConnection() throws IOException {
    Files.writeString(folder.resolve("jmx"), "hunter3\n");
    Files.writeString(
        folder.resolve("cluster.yaml"),
        """
        nodes:
          - {name: c1, address: 127.0.0.1, datacenter: east}
          - {name: c2, address: 127.0.0.2, datacenter: west}
        """);
    StudySpec study =
        parse(
            "study: inventory\nstore: {engine: cassandra, inventory: cluster.yaml,"
                + " rf: {east: 1, west: 1}, local-dc: west, jmx-user: monitor,"
                + " jmx-password-file: jmx, tls: {ca: ca.pem, verify-hostname: false}}\n"
                + REST);
    CassandraStoreConfig config = target(study.store()).store();
    assertThat(config.replication())
        .isEqualTo(new Replication.NetworkTopology(Map.of("east", 1, "west", 1)));
    assertThat(config.localDataCentre()).contains("west");
    assertThat(config.jmxCredentials().orElseThrow().password()).isEqualTo("hunter3");
    assertThat(config.tls().orElseThrow().ca()).contains(folder.resolve("ca.pem"));
    assertThat(config.tls().orElseThrow().verifyHostname()).isFalse();
  }

  @Test
  void nodesThatSayTheyAreElsewhereNeedTheLeaveOfTheUser() throws Exception {
    StudySpec study = study("", "nodes: [{name: c1, address: 127.0.0.1}]");
    InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9042);
    InetSocketAddress there =
        new InetSocketAddress(InetAddress.getByAddress(new byte[] {10, 1, 2, 3}), 9042);
    List<ClusterNode> tunnel =
        List.of(new ClusterNode(here, Optional.of(there), "dc1", "r1", true));
    assertThatThrownBy(() -> new LoadBounds(study, false).requireListed(tunnel))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("10.1.2.3")
        .hasMessageContaining("--allow-load");
    new LoadBounds(study, true).requireListed(tunnel);
    new LoadBounds(study, false)
        .requireListed(List.of(new ClusterNode(here, Optional.of(here), "dc1", "r1", true)));
  }

  private boolean isOnThisMachine(String address) throws IOException {
    StoreSpec store = store("", "nodes: [{name: c1, address: \"" + address + "\"}]");
    return InventoryTarget.isOnThisMachine(store.inventory().orElseThrow());
  }

  private CassandraInventory target(StoreSpec store) {
    return new CassandraInventory(store, Profiles.byName("xeon-x3440").orElseThrow(), folder);
  }

  private StoreSpec store(String more, String inventory) throws IOException {
    return study(more, inventory).store();
  }

  private StudySpec study(String more, String inventory) throws IOException {
    Files.writeString(folder.resolve("cluster.yaml"), inventory);
    String head =
        "study: inventory\nstore: {engine: cassandra, inventory: cluster.yaml, rf: 1"
            + more
            + "}\n";
    return parse(head + REST);
  }

  private StudySpec parse(String yaml) {
    return StudyFile.parse(yaml, "study.yaml", folder, List.of());
  }
}
