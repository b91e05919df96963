package org.calando.engine.cassandra;

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
import org.calando.core.policy.gear.GearModel;
import org.calando.core.store.CompactionLimits;
import org.calando.engine.GearControl;
import org.calando.engine.InventoryTarget;
import org.calando.engine.LoadBounds;
import org.calando.engine.StoreSchema;
import org.calando.engine.StoreSpec;
import org.calando.engine.Target;
import org.calando.knob.KnobAgents;
import org.calando.schema.Documents;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.ClusterNode;
import org.calando.store.cassandra.Replication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CassandraInventoryTest {
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
    StoreSpec store = store("", "nodes: [{name: c1, address: 127.example.org}]");
    assertThatThrownBy(() -> new LoadBounds("inventory", store, false).requireAllowed())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("not on this machine")
        .hasMessageContaining("--allow-load")
        .hasMessageContaining("keyspace calando");
    new LoadBounds("inventory", store, true).requireAllowed();
  }

  @Test
  void gearsOfProcessesAreOffSoonerThanThoseOfMachines() throws IOException {
    String node = "nodes: [{name: c1, address: 127.0.0.1, pid: 4711}, {name: c2, address: h2%s}]";
    for (String known : List.of("", ", pid: 4712")) {
      StoreSpec store = store("", node.formatted(known));
      double seconds = known.isEmpty() ? GearModel.MACHINE_OFF_SECONDS : 5;
      assertThat(store.inventory().orElseThrow().offSeconds()).isEqualTo(seconds);
      assertThat(RackGears.of(store).offSeconds()).as("in a study").isEqualTo(seconds);
    }
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
  void knobsAreSetOverJmxOrThroughAgentsThatReachItOfEveryNode() throws IOException {
    String ofAgent = "{name: c1, address: 10.0.0.1, agent: \"http://127.0.0.1:7475\", jmx: %s}";
    Target agents = target(store("", "nodes: [" + ofAgent.formatted("{agent: db}") + "]"));
    assertThat(agents.find(KnobAgents.class)).isPresent();
    assertThat(agents.find(CompactionLimits.class)).isEmpty();
    Target direct = target(store("", "nodes: [" + ofAgent.formatted("\"10.0.0.1:7199\"") + "]"));
    assertThat(direct.find(KnobAgents.class)).isEmpty();
    assertThat(direct.find(CompactionLimits.class)).isPresent();
    String both = ofAgent.formatted("{agent: db}") + ", {name: c2, address: 10.0.0.2}";
    assertThat(target(store("", "nodes: [" + both + "]")).find(KnobAgents.class)).isEmpty();
  }

  @Test
  void racksNeedAJmxThatTakesOrders() throws IOException {
    String node = "{name: c1, address: 10.0.0.1, rack: r1, agent: \"http://127.0.0.1:7475\"%s}";
    assertRacksRefused(node.formatted(", jmx: {agent: db}"), "drains and repairs nothing");
    assertRacksRefused(node.formatted(""), "has no jmx");
  }

  private void assertRacksRefused(String node, String why) throws IOException {
    GearControl.Source racks =
        target(store("", "nodes: [" + node + "]")).find(GearControl.Source.class).orElseThrow();
    assertThatThrownBy(racks::gears)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("node c1: ")
        .hasMessageContaining(why)
        .hasMessageContaining("its switch may be its agent's");
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
    StoreSpec store =
        parse(
            "{engine: cassandra, inventory: cluster.yaml,"
                + " rf: {east: 1, west: 1}, local-dc: west, jmx-user: monitor,"
                + " jmx-password-file: jmx, tls: {ca: ca.pem, verify-hostname: false}}");
    CassandraStoreConfig config = target(store).store();
    assertThat(config.replication())
        .isEqualTo(new Replication.NetworkTopology(Map.of("east", 1, "west", 1)));
    assertThat(config.localDataCentre()).contains("west");
    assertThat(config.jmxCredentials().orElseThrow().password()).isEqualTo("hunter3");
    assertThat(config.tls().orElseThrow().ca()).contains(folder.resolve("ca.pem"));
    assertThat(config.tls().orElseThrow().verifyHostname()).isFalse();
  }

  @Test
  void nodesThatSayTheyAreElsewhereNeedTheLeaveOfTheUser() throws Exception {
    StoreSpec store = store("", "nodes: [{name: c1, address: 127.0.0.1}]");
    InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9042);
    InetSocketAddress there =
        new InetSocketAddress(InetAddress.getByAddress(new byte[] {10, 1, 2, 3}), 9042);
    List<LoadBounds.Found> tunnel =
        CassandraInventory.found(
            List.of(new ClusterNode(here, Optional.of(there), "dc1", "r1", true)));
    assertThatThrownBy(() -> new LoadBounds("inventory", store, false).requireListed(tunnel))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("10.1.2.3")
        .hasMessageContaining("--allow-load");
    new LoadBounds("inventory", store, true).requireListed(tunnel);
    new LoadBounds("inventory", store, false)
        .requireListed(List.of(new LoadBounds.Found(here, Optional.of(here), "dc1")));
  }

  /** What is to be typed names the file. */
  @Test
  void remediesNameTheFileOfTheInventory() throws IOException {
    StoreSpec store = store("", "nodes: [{name: c1, address: 127.0.0.1}]");
    assertThat(target(store).named()).isEqualTo("--inventory " + folder.resolve("cluster.yaml"));
    assertThat(store.inventory().orElseThrow().folder()).isEqualTo(folder);
  }

  private boolean isOnThisMachine(String address) throws IOException {
    StoreSpec store = store("", "nodes: [{name: c1, address: \"" + address + "\"}]");
    return InventoryTarget.isOnThisMachine(store.inventory().orElseThrow());
  }

  private CassandraInventory target(StoreSpec store) {
    return new CassandraInventory(store, Profiles.byName("xeon-x3440").orElseThrow(), folder);
  }

  private StoreSpec store(String more, String inventory) throws IOException {
    Files.writeString(folder.resolve("cluster.yaml"), inventory);
    return parse("{engine: cassandra, inventory: cluster.yaml, rf: 1" + more + "}");
  }

  private StoreSpec parse(String yaml) {
    return Documents.read(StoreSchema.TYPE, yaml, "store", folder, List.of()).value();
  }
}
