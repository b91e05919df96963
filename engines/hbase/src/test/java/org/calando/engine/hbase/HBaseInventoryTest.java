package org.calando.engine.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.Profiles;
import org.calando.engine.FileTarget;
import org.calando.engine.Finding;
import org.calando.engine.InventoryTarget;
import org.calando.engine.StoreSchema;
import org.calando.engine.StoreSpec;
import org.calando.schema.Documents;
import org.calando.store.hbase.HBaseClusterState;
import org.calando.store.hbase.HBaseServer;
import org.calando.store.hbase.HBaseStoreConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HBaseInventoryTest {
  private static final String NODES =
      """
      hbase: {quorum: [10.0.0.9, "10.0.0.8:2182"], znode: /prod, user: calando, others: [m1]}
      nodes:
        - {name: c1, address: 127.0.0.1, pid: 11, companions: [12, 13]}
        - {name: c2, address: c2.invalid, port: 16021}
        - {name: m1, address: 127.0.0.3, port: 16000}
      """;

  @TempDir Path folder;

  @Test
  void theConnectionTakesWhatTheInventorySays() throws IOException {
    HBaseStoreConfig config = access(NODES).config();
    assertThat(config.quorum()).containsExactly("10.0.0.9:2181", "10.0.0.8:2182");
    assertThat(config.znode()).isEqualTo("/prod");
    assertThat(config.user()).contains("calando");
    assertThat(config.namespace()).isEqualTo("mine");
    assertThat(config.requestTimeout()).hasSeconds(3);
    // Of three nodes two have RegionServers.
    assertThat(config.regions()).isEqualTo(8);
  }

  @Test
  void theUsualPlacesOfHBaseHold() throws IOException {
    HBaseInventory access =
        access("hbase: {quorum: [z1]}\nnodes: [{name: c1, address: 127.0.0.1}]");
    assertThat(access.config().znode()).isEqualTo("/hbase");
    assertThat(access.config().user()).isEmpty();
    assertThat(access.servers()).singleElement().matches(node -> node.port() == 16_020);
  }

  @Test
  void nodesKeepTheirProcessesAndTheReaderIsToldWhatIsNotCounted() throws IOException {
    StoreSpec store = store(NODES);
    InventoryTarget target = target(store);
    assertThat(target.nodes().get(0).pid()).hasValue(11);
    assertThat(target.nodes().get(0).companions()).containsExactly(12L, 13L);
    assertThat(target.notes()).isEmpty();
    assertThat(target.find(FileTarget.class)).isEmpty();
    assertThat(target.control()).isEmpty();
    assertThat(
            target(store("hbase: {quorum: [z1]}\nnodes: [{name: c1, address: 127.0.0.1}]")).notes())
        .singleElement()
        .matches(note -> note.contains("the master, ZooKeeper and the NameNode"));
  }

  @Test
  void aServerIsListedByItsAddressOrByItsName() throws IOException {
    HBaseInventory access = access(NODES);
    HBaseServer first = new HBaseServer("localhost", 16_020);
    HBaseServer second = new HBaseServer("C2.invalid", 16_021);
    access.requireListed(state(first, second));
    assertThat(access.unlisted(state(first, second))).isEmpty();
  }

  @Test
  void serversThatAreNotListedAreRefusedAlsoWhereANodeHasNone() throws IOException {
    HBaseInventory access = access(NODES);
    HBaseServer first = new HBaseServer("127.0.0.1", 16_020);
    HBaseServer second = new HBaseServer("c2.invalid", 16_021);
    assertThatThrownBy(
            () -> access.requireListed(state(first, second, new HBaseServer("127.0.0.1", 16_021))))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("does not list: 127.0.0.1:16021");
    // m1 is said to have none.
    assertThatThrownBy(
            () -> access.requireListed(state(first, second, new HBaseServer("127.0.0.3", 16_000))))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("127.0.0.3:16000");
  }

  @Test
  void aServerThatIsListedAndDeadFailsTheWork() throws IOException {
    assertThatThrownBy(
            () -> access(NODES).requireListed(state(new HBaseServer("127.0.0.1", 16_020))))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("c2.invalid:16021")
        .hasMessageContaining("node c2")
        .hasMessageContaining("hbase.others");
  }

  @Test
  void aDoctorTellsOfAClusterThatDoesNotAnswer() throws Exception {
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    StoreSpec store =
        store(
            "hbase: {quorum: [\"127.0.0.1:"
                + closed
                + "\"]}\nnodes: [{name: c1, address: 10.0.0.1}]");
    List<Finding> findings = target(store).examine(Optional.of("t"));
    assertThat(findings).hasSize(2);
    assertThat(findings.get(0).text()).contains("needs --allow-load", "c1");
    assertThat(findings.get(1).ok()).isFalse();
    assertThat(findings.get(1).text()).contains("127.0.0.1:" + closed, "check quorum and znode");
  }

  @Test
  void onlyAClusterOfLocalStartHasGears() throws IOException {
    HBaseInventory access = access(NODES);
    assertThat(access.off()).isEmpty();
    assertThatThrownBy(access::gears)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("is no inventory of ./calando local start")
        .hasMessageContaining("remove gear; or name the inventory");
  }

  private static HBaseClusterState state(HBaseServer... servers) {
    return new HBaseClusterState("2.6.4", Optional.empty(), List.of(servers), List.of(), 0, false);
  }

  private HBaseInventory access(String inventory) throws IOException {
    return target(store(inventory));
  }

  private static HBaseInventory target(StoreSpec store) {
    return new HBaseInventory(store, Profiles.byName("xeon-x3440").orElseThrow());
  }

  private StoreSpec store(String inventory) throws IOException {
    Files.writeString(folder.resolve("cluster.yaml"), inventory);
    return Documents.read(
            StoreSchema.TYPE,
            "{engine: hbase, inventory: cluster.yaml, keyspace: mine, request-timeout: 3s}",
            "store",
            folder,
            List.of())
        .value();
  }
}
