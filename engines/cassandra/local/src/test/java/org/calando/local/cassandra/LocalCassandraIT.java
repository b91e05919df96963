package org.calando.local.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.local.process.ProcessGroup;
import org.calando.local.relay.LinkCounters;
import org.calando.local.relay.LinkDelays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Three nodes whose links take time, for all tests. */
class LocalCassandraIT {
  /** One way: 5 ms between n1 and n2, 40 ms to and from n3. */
  private static final LinkDelays DELAYS =
      LinkDelays.matrix(
          List.of(
              List.of(Duration.ZERO, Duration.ofMillis(5), Duration.ofMillis(40)),
              List.of(Duration.ofMillis(5), Duration.ZERO, Duration.ofMillis(40)),
              List.of(Duration.ofMillis(40), Duration.ofMillis(40), Duration.ZERO)));

  private static LocalCassandra cluster;

  @BeforeAll
  static void startThreeNodes() throws IOException {
    cluster = LocalCassandra.start(config().nodes(3).racks(3).linkDelays(DELAYS).build());
    try (RawCql cql = new RawCql(cluster.nodes().get(0))) {
      cql.createTable("{'class': 'NetworkTopologyStrategy', 'dc1': 3}");
    }
  }

  @AfterAll
  static void everythingGoes() {
    List<LocalNode> nodes = cluster.nodes();
    Path folder = cluster.folder();
    List<ProcessGroup.Exit> exits = new CopyOnWriteArrayList<>();
    cluster.onUnexpectedExit(exits::add);
    cluster.kill(3);
    assertThat(cluster.status().get(2).running()).isFalse();
    cluster.stop(3);
    cluster.close();
    cluster.close();
    assertThat(exits).isEmpty();
    assertThat(nodes).noneMatch(node -> node.process().isAlive());
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
      assertThat(cql.run("INSERT INTO k.t (id, v) VALUES (1, 1)", RawCql.ALL)).isPositive();
    }
  }

  @Test
  void anAcknowledgementCostsTheDelayOfItsLinkThereAndBack() throws IOException {
    try (RawCql cql = new RawCql(cluster.nodes().get(0))) {
      List<Duration> shortest = shortest(cql, RawCql.ONE, RawCql.QUORUM, RawCql.ALL);
      Duration one = shortest.get(0);
      Duration quorum = shortest.get(1);
      Duration all = shortest.get(2);
      // Lower bounds and order only: how much slower a busy machine is says nothing of the relay.
      assertThat(one).isLessThan(quorum);
      assertThat(quorum).isGreaterThanOrEqualTo(Duration.ofMillis(10)).isLessThan(all);
      assertThat(all).isGreaterThanOrEqualTo(Duration.ofMillis(80));

      assertThat(counters(cluster).strangers()).isZero();
      // Two nodes may not have had anything to tell each other yet.
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertAllLinksAreUsed(counters(cluster)));

      assertThat(cluster.linkDelays()).isEqualTo(DELAYS);
      cluster.linkDelays(LinkDelays.uniform(3, Duration.ofMillis(60)));
      assertThat(shortest(cql, RawCql.QUORUM).get(0))
          .isGreaterThanOrEqualTo(Duration.ofMillis(120));
      cluster.linkDelays(DELAYS);
    }
  }

  private static void assertAllLinksAreUsed(LinkCounters counters) {
    for (int sender = 0; sender < 3; sender++) {
      for (int receiver = 0; receiver < 3; receiver++) {
        if (sender != receiver) {
          assertThat(counters.bytes(sender, receiver)).isPositive();
          assertThat(counters.connections(sender, receiver)).isPositive();
        }
      }
    }
  }

  /** Of each level in turn, so that a server that is still slow is so for all of them. */
  private static List<Duration> shortest(RawCql cql, int... levels) throws IOException {
    long[] shortest = new long[levels.length];
    Arrays.fill(shortest, Long.MAX_VALUE);
    for (int i = 0; i < 20; i++) {
      for (int level = 0; level < levels.length; level++) {
        String insert = "INSERT INTO k.t (id, v) VALUES (" + i + ", 1)";
        shortest[level] = Math.min(shortest[level], cql.run(insert, levels[level]));
      }
    }
    return Arrays.stream(shortest).mapToObj(Duration::ofNanos).toList();
  }

  @Test
  void aKilledNodeIsNoticedAndComesBack() {
    List<ProcessGroup.Exit> exits = new CopyOnWriteArrayList<>();
    cluster.onUnexpectedExit(exits::add);
    LocalNode before = cluster.nodes().get(1);
    before.process().kill();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(exits).containsExactly(new ProcessGroup.Exit("n2", 137)));
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
            "held by pid " + cluster.nodes().get(0).pid() + " java: 127.42.0.1:9042 (n1 CQL)",
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

  private static LinkCounters counters(LocalCassandra cluster) {
    return LinkCounters.open(cluster.countersFile(), cluster.config().nodes());
  }
}
