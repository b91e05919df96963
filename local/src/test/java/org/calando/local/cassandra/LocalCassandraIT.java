package org.calando.local.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.local.process.ProcessIdentity;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LocalCassandraIT {
  private static LocalCassandra cluster;

  @BeforeAll
  static void startThreeNodes() {
    cluster = LocalCassandra.start(config().nodes(3).racks(3).build());
  }

  @AfterAll
  static void everythingGoes() {
    List<LocalNode> nodes = cluster.nodes();
    Path folder = cluster.folder();
    List<LocalCassandra.ProcessExit> exits = new CopyOnWriteArrayList<>();
    cluster.onUnexpectedExit(exits::add);
    cluster.kill(3);
    assertThat(cluster.status().get(2).running()).isFalse();
    cluster.stop(3);
    cluster.close();
    cluster.close();
    assertThat(exits).isEmpty();
    assertThat(nodes).noneMatch(node -> identity(node).isAlive());
    assertThat(folder).doesNotExist();
    assertThatThrownBy(() -> cluster.restart(1)).isInstanceOf(FailedWorkException.class);
  }

  @Test
  void threeNodesTakeAWriteThatAllMustAcknowledge() throws IOException {
    assertThat(cluster.status())
        .hasSize(3)
        .allMatch(LocalCassandra.NodeStatus::up)
        .allMatch(status -> status.started().isPresent());
    assertThat(cluster.nodes()).extracting(LocalNode::rack).containsExactly("r1", "r2", "r3");
    try (RawCql cql = new RawCql(cluster.nodes().get(0))) {
      cql.createTable("{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
      assertThat(cql.run("INSERT INTO k.t (id, v) VALUES (1, 1)", RawCql.ALL)).isPositive();
    }
  }

  @Test
  void aKilledNodeIsNoticedAndComesBack() {
    List<LocalCassandra.ProcessExit> exits = new CopyOnWriteArrayList<>();
    cluster.onUnexpectedExit(exits::add);
    LocalNode before = cluster.nodes().get(1);
    identity(before).kill();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> assertThat(exits).containsExactly(new LocalCassandra.ProcessExit("n2", 137)));
    assertThat(cluster.status().get(1).running()).isFalse();
    assertThatThrownBy(cluster::awaitAllUp)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("n2 ended");

    cluster.restart(2);
    cluster.awaitAllUp();
    assertThat(cluster.status()).allMatch(LocalCassandra.NodeStatus::up);
    assertThat(cluster.nodes().get(1).pid()).isNotEqualTo(before.pid());
  }

  @Test
  void aSecondClusterAtTheSameAddressesIsRefusedWithAllTakenPorts() {
    assertThatThrownBy(() -> LocalCassandra.start(config().nodes(3).build()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContainingAll(
            "127.42.0.1:9042 (n1 CQL): held by pid " + cluster.nodes().get(0).pid(),
            "127.42.0.3:7000 (n3 storage)",
            "127.0.0.1:7842 (n1 JMX)");
  }

  static LocalCassandraConfig.Builder config() {
    return LocalCassandraConfig.builder()
        .block("127.42")
        .jmxPort(7841)
        .heapMebibytes(192)
        .startTimeout(Duration.ofMinutes(5));
  }

  private static ProcessIdentity identity(LocalNode node) {
    return new ProcessIdentity(node.pid(), node.startTicks());
  }
}
