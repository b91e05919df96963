package org.calando.studyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.store.ReadFrom;
import org.calando.core.store.SessionRequest;
import org.calando.engine.InventorySpec;
import org.calando.engine.StoreSpec;
import org.calando.engine.redis.RedisLocal;
import org.calando.engine.redis.RedisSettings;
import org.calando.engine.redis.SentinelSpec;
import org.calando.knob.level.LevelKnob;
import org.calando.store.redis.RedisNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisStoreTest {
  private static final String NODE = "inventory: {nodes: [{name: n1, address: 10.0.0.1}]}";

  @TempDir Path folder;

  @Test
  void aLocalRedisIsBound() throws IOException {
    StoreSpec store =
        study(
                "{engine: redis, local: {nodes: 4, sentinels: 3, io-threads: 2, binary: /opt/v,"
                    + " redis-port: 7001, auth: true, redis-conf: {maxmemory: 64mb}}}",
                "[ALL]")
            .store();
    assertThat(store.engine()).isEqualTo("redis");
    assertThat(store.replicationFactor()).isEqualTo(4);
    assertThat(store.local().orElseThrow().get(RedisLocal.class))
        .isEqualTo(new RedisLocal(3, 0, 2, "/opt/v", 7001, Map.of("maxmemory", "64mb")));
  }

  @Test
  void levelsNameTheNodesAndTheAcknowledgements() throws IOException {
    MatrixSpec matrix =
        study(
                "{engine: redis, local: {}}",
                "[{read: master, write: WAIT 0}, {read: replica, write: WAIT 1},"
                    + " {read: any, write: WAIT 2}, {read: QUORUM, write: ONE}, ALL]")
            .matrix()
            .get(0);
    assertThat(TestFiles.levels(matrix))
        .containsExactly("master/ONE", "replica/TWO", "any/THREE", "QUORUM/ONE", "ALL");
    assertThat(matrix.points())
        .extracting(point -> new LevelKnob().session(SessionRequest.of(1), point).readFrom())
        .containsExactly(
            ReadFrom.MASTER, ReadFrom.REPLICA, ReadFrom.ANY, ReadFrom.ANY, ReadFrom.ANY);
  }

  @Test
  void aPasswordNeedsNoUser() throws IOException {
    StoreSpec store =
        study(
                "{engine: redis, password-env: REDIS_PASSWORD,"
                    + " inventory: {nodes: [{name: n1, address: 10.0.0.1, port: 6379}]}}",
                "[ONE]")
            .store();
    assertThat(store.credentials().orElseThrow().user()).isEmpty();
    assertThat(store.replicationFactor()).isEqualTo(1);
  }

  @Test
  void nodesListenWhereTheirEngineDoesUnlessTheySay() throws IOException {
    String nodes =
        "{nodes: [{name: n1, address: 10.0.0.1}, {name: n2, address: 10.0.0.2, port: 7}]}";
    assertThat(ports("{engine: redis, inventory: " + nodes + "}")).containsExactly(6379, 7);
    assertThat(ports("{engine: cassandra, rf: 1, inventory: " + nodes + "}"))
        .containsExactly(9042, 7);
    refused(
        "{engine: redis, inventory: {nodes: [{name: n1, address: 10.0.0.1},"
            + " {name: n2, address: 10.0.0.1, port: 6379}]}}",
        "[ONE]",
        "lists 10.0.0.1:6379 twice");
  }

  private List<Integer> ports(String store) throws IOException {
    return study(store, "[ONE]").store().inventory().orElseThrow().nodes().stream()
        .map(InventorySpec.Node::port)
        .toList();
  }

  @Test
  void sentinelsAndTheirPasswordAreBound() throws IOException {
    StoreSpec store =
        study(
                "{engine: redis, "
                    + NODE
                    + ", sentinels: [10.0.0.7, \"[fe80::1]:7000\"], master-name: prod,"
                    + " sentinel-user: watch, sentinel-password-file: secret,"
                    + " tls: {ca: ca.pem, verify-hostname: false}}",
                "[ONE]")
            .store();
    SentinelSpec sentinels = settings(store).sentinels().orElseThrow();
    assertThat(sentinels.sentinels())
        .extracting(RedisNode::host, RedisNode::port)
        .containsExactly(tuple("10.0.0.7", 26379), tuple("fe80::1", 7000));
    assertThat(sentinels.masterName()).isEqualTo("prod");
    assertThat(sentinels.credentials().orElseThrow())
        .isEqualTo(new StoreSpec.Credentials("watch", Optional.of("secret"), Optional.empty()));
    assertThat(store.tls().orElseThrow().verifyHostname()).isFalse();
    assertThat(
            settings(study("{engine: redis, " + NODE + ", sentinels: [10.0.0.7]}", "[ONE]").store())
                .sentinels()
                .orElseThrow()
                .masterName())
        .isEqualTo("mymaster");
  }

  @Test
  void aKeyOfARedisClusterIsOnItsMastersNodes() throws IOException {
    StoreSpec local =
        study("{engine: redis, local: {nodes: 6, shards: 3}}", "[{read: ONE, write: WAIT 1}]")
            .store();
    assertThat(local.replicationFactor()).isEqualTo(2);
    StoreSpec own = study("{engine: redis, cluster: true, rf: 1, " + NODE + "}", "[ONE]").store();
    assertThat(settings(own).cluster()).isTrue();
    refused(
        "{engine: redis, local: {nodes: 6, shards: 3}}", "[{read: ONE, write: WAIT 2}]", "THREE");
    refused("{engine: redis, local: {nodes: 5, shards: 3}}", "[ONE]", "does not divide");
    refused("{engine: redis, cluster: true, " + NODE + "}", "[ONE]", "store.rf: is missing");
    refused(
        "{engine: redis, cluster: true, rf: 1, sentinels: [10.0.0.7], " + NODE + "}",
        "[ONE]",
        "is not supported by a Redis Cluster");
    refused("{engine: cassandra, rf: 1, cluster: true, " + NODE + "}", "[ONE]", "engine: redis");
  }

  @Test
  void sentinelsThatContradictTheRestAreRefused() {
    refused("{engine: redis, " + NODE + ", master-name: prod}", "[ONE]", "only with sentinels");
    refused(
        "{engine: redis, " + NODE + ", sentinels: [\"10.0.0.1:6379\"]}",
        "[ONE]",
        "store.sentinels[0]: 10.0.0.1:6379 is a node of the inventory");
    refused(
        "{engine: redis, " + NODE + ", sentinels: [10.0.0.7, \"10.0.0.7:26379\"]}",
        "[ONE]",
        "store.sentinels[1]: 10.0.0.7:26379 is listed already");
    refused(
        "{engine: redis, " + NODE + ", sentinels: [10.0.0.7:70000]}", "[ONE]", "is not an address");
    refused(
        "{engine: redis, " + NODE + ", sentinels: [10.0.0.7], sentinel-user: me}",
        "[ONE]",
        "has no password");
    refused("{engine: redis, local: {}, sentinels: [10.0.0.7]}", "[ONE]", "store.local.sentinels");
    refused("{engine: redis, local: {}, tls: {}}", "[ONE]", "only with an inventory");
    refused(
        "{engine: cassandra, rf: 1, " + NODE + ", sentinels: [10.0.0.7]}",
        "[ONE]",
        "store.sentinels: is not supported by cassandra");
  }

  private static RedisSettings settings(StoreSpec store) {
    return store.find(RedisSettings.class).orElseThrow();
  }

  @Test
  void whatRedisLacksIsRefused() {
    refused("{engine: redis, local: {racks: 3}}", "[ONE]", "store.local.racks");
    refused("{engine: redis, local: {link-delay: 5ms}}", "[ONE]", "store.local.link-delay");
    refused("{engine: redis, local: {nodes: 2}}", "[{read: ONE, write: WAIT 2}]", "THREE needs 3");
    refused(
        "{engine: redis, local: {}}", "[{harmony: {tolerate: 5%}}]", "is not supported by redis");
    refused("{engine: redis, local: {}, rf: 3}", "[ONE]", "write store.local.nodes: each has");
    refused("{engine: redis, local: {rf: 2}}", "[ONE]", "store.local.rf: is not supported by a");
  }

  @Test
  void whatOnlyRedisHasIsRefusedElsewhere() {
    refused(
        "{engine: cassandra, local: {sentinels: 3}}",
        "[ONE]",
        "store.local.sentinels: is not supported by a local Cassandra");
    refused(
        "{engine: cassandra, local: {}}",
        "[{read: master, write: ONE}]",
        "is supported only by redis");
  }

  private void refused(String store, String consistency, String message) {
    assertThatThrownBy(() -> study(store, consistency))
        .as("%s %s", store, consistency)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(message);
  }

  private StudySpec study(String store, String consistency) throws IOException {
    Path file = folder.resolve("study.yaml");
    Files.writeString(
        file,
        """
        study: redis
        store: %s
        workload: {preset: heavy-update, records: 100, operations: 100}
        matrix: {consistency: %s, threads: [1]}
        """
            .formatted(store, consistency));
    return StudyFile.read(file, List.of());
  }
}
