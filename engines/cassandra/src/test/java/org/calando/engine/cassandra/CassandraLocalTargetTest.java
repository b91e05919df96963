package org.calando.engine.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.calando.core.layout.WarmShare;
import org.calando.engine.ClusterRequest;
import org.calando.engine.Engines;
import org.calando.engine.LocalSchema;
import org.calando.engine.LocalSpec;
import org.calando.engine.StoreSchema;
import org.calando.engine.StoreSpec;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.relay.LinkDelays;
import org.calando.power.schema.PowerSchema;
import org.calando.power.schema.PowerSpec;
import org.calando.schema.Documents;
import org.junit.jupiter.api.Test;

class CassandraLocalTargetTest {
  @Test
  void theDefaultsOfTheStudyFileAreThoseOfTheCluster() {
    LocalCassandraConfig config = config();
    LocalCassandraConfig plain = LocalCassandraConfig.builder().build();
    assertThat(config.nodes()).isEqualTo(plain.nodes());
    assertThat(config.racks()).isEqualTo(plain.racks());
    assertThat(config.replicationFactor()).isEqualTo(plain.replicationFactor());
    assertThat(config.tokens()).isEqualTo(plain.tokens());
    assertThat(config.heapMebibytes()).isEqualTo(plain.heapMebibytes());
    assertThat(config.compiler()).isEqualTo(plain.compiler());
    assertThat(config.linkDelays()).isEmpty();
    assertThat(config.block()).isEqualTo(plain.block());
    assertThat(config.cqlPort()).isEqualTo(plain.cqlPort());
    assertThat(config.storagePort()).isEqualTo(plain.storagePort());
    assertThat(config.jmxPort(1)).isEqualTo(plain.jmxPort(1));
    assertThat(config.yaml()).isEmpty();
    assertThat(config.stateFolder()).isEmpty();
  }

  @Test
  void everySettingReachesTheCluster() {
    LocalCassandraConfig config =
        config(
            "nodes=2",
            "racks=2",
            "rf=1",
            "heap=512MB",
            "compiler=c2",
            "loopback=\"127.99\"",
            "ports={cql: 19042, storage: 17000, jmx: 17199}",
            "tokens=[-100, 100]",
            "auth=true",
            "tls=true",
            "cassandra-yaml={concurrent_reads: 16}");
    assertThat(config.nodes()).isEqualTo(2);
    assertThat(config.racks()).isEqualTo(2);
    assertThat(config.replicationFactor()).isEqualTo(1);
    assertThat(config.heapMebibytes()).isEqualTo(512);
    assertThat(config.compiler()).isEqualTo(LocalCassandraConfig.Compiler.C2);
    assertThat(config.address(2)).isEqualTo("127.99.0.2");
    assertThat(config.cqlPort()).isEqualTo(19042);
    assertThat(config.storagePort()).isEqualTo(17000);
    assertThat(config.jmxPort(1)).isEqualTo(17200);
    assertThat(config.tokens()).isEqualTo(List.of(List.of("-100"), List.of("100")));
    assertThat(config.auth()).isTrue();
    assertThat(config.tls()).isTrue();
    assertThat(config.yaml())
        .hasSize(1)
        .hasEntrySatisfying("concurrent_reads", CassandraLocalTargetTest::is16);
  }

  @Test
  void anotherLoopbackTakesOtherJmxPortsToo() {
    assertThat(config("loopback=\"127.9\"").jmxPort(1)).isEqualTo(10_290);
    assertThat(config("loopback=\"127.9\"", "ports={jmx: 7300}").jmxPort(1)).isEqualTo(7301);
  }

  @Test
  void aLayoutGivesTheClusterItsTokens() {
    // -2^63 + (p + 1/2) 2^64 / 4 for the places 1, 2 and 3 of four
    assertThat(config("layout=third").tokens())
        .containsExactly(
            List.of("-2305843009213693952"),
            List.of("2305843009213693952"),
            List.of("6917529027641081856"));
    assertThat(config("layout=even").tokens()).isEqualTo(config().tokens());
    assertThat(config("layout=33.4%").tokens()).isEqualTo(config("layout=third").tokens());
  }

  @Test
  void aLayoutOfTheMatrixReplacesTheClustersOwn() {
    LocalSpec even = local(List.of("heap=512MB", "layout=even"));
    LocalSpec third = even.with(Optional.of(WarmShare.THIRD));
    assertThat(third).isEqualTo(local(List.of("heap=512MB", "layout=third")));
    assertThat(even.with(Optional.empty())).isEqualTo(even);
  }

  @Test
  void aSingleDelayHoldsForEveryLink() {
    LocalCassandraConfig config = config("link-delay=5ms");
    for (int from = 0; from < 3; from++) {
      for (int to = 0; to < 3; to++) {
        long expected = from == to ? 0 : Duration.ofMillis(5).toNanos();
        assertThat(config.linkDelays().orElseThrow().nanos(from, to)).isEqualTo(expected);
      }
    }
  }

  @Test
  void aMatrixOfDelaysGoesFromRowToColumn() {
    LocalCassandraConfig config =
        config("link-delay=[[0ms, 1ms, 2ms], [3ms, 0ms, 4ms], [5ms, 6ms, 0ms]]");
    assertThat(config.linkDelays().orElseThrow().nanos(0, 2)).isEqualTo(2_000_000);
    assertThat(config.linkDelays().orElseThrow().nanos(2, 0)).isEqualTo(5_000_000);
    assertThat(config.linkDelays().orElseThrow().nanos(1, 2)).isEqualTo(4_000_000);
  }

  @Test
  void linksThatEventsDelayHaveARelayFromTheBegin() {
    assertThat(config(true).linkDelays()).contains(LinkDelays.uniform(3, Duration.ZERO));
    assertThat(config(false).linkDelays()).isEmpty();
  }

  private static LocalCassandraConfig config(boolean changesLinks) {
    StoreSpec store =
        Documents.read(
                StoreSchema.TYPE, "{engine: cassandra, local: {}}", "store", Path.of(""), List.of())
            .value();
    PowerSpec power =
        Documents.read(PowerSchema.TYPE, "{}", "power", Path.of(""), List.of())
            .value()
            .of(Optional.empty());
    return CassandraLocalTarget.config(
        new ClusterRequest(store, power, changesLinks, Optional.empty()));
  }

  private static void is16(Object value) {
    assertThat(value.toString()).isEqualTo("16");
  }

  private static LocalCassandraConfig config(String... settings) {
    return CassandraLocalTarget.config(local(List.of(settings))).build();
  }

  private static LocalSpec local(List<String> settings) {
    return LocalSchema.read(Engines.of("cassandra"), settings);
  }
}
