package org.calando.local.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.calando.core.BadRequestException;
import org.calando.core.layout.WarmShare;
import org.calando.local.ConfigJson;
import org.calando.local.process.Ports;
import org.calando.local.relay.LinkDelays;
import org.junit.jupiter.api.Test;

class LocalCassandraConfigTest {
  @Test
  void allWrongSettingsAreReportedTogether() {
    assertThatThrownBy(
            () ->
                LocalCassandraConfig.builder()
                    .nodes(10)
                    .racks(11)
                    .replicationFactor(12)
                    .heapMebibytes(5)
                    .block("10.0")
                    .build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContainingAll(
            "nodes is 10",
            "racks is 11",
            "replication factor is 12",
            "heap in MiB is 5",
            "block '10.0'");
  }

  @Test
  void aMatrixOfAnotherSizeIsRefused() {
    LinkDelays two = LinkDelays.uniform(2, Duration.ofMillis(1));
    assertThatThrownBy(() -> LocalCassandraConfig.builder().nodes(3).linkDelays(two).build())
        .hasMessageContaining("link delays are for 2 nodes, not 3");
  }

  @Test
  void aLayoutMustFitAndNeedsTheTokensToItself() {
    assertThatThrownBy(
            () ->
                LocalCassandraConfig.builder()
                    .nodes(2)
                    .layout(WarmShare.parse("1/5"))
                    .tokens(List.of("1", "2"))
                    .build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContainingAll(
            "layout 1/5 has no warm node of 2", "layout 1/5 and tokens are both given");
  }

  @Test
  void aDelayOfZeroNeedsNoRelay() {
    LocalCassandraConfig config =
        LocalCassandraConfig.builder().linkDelays(LinkDelays.uniform(3, Duration.ZERO)).build();
    assertThat(config.linkDelays()).isEmpty();
    assertThat(config.peerAddress(2)).isEqualTo("127.0.0.2");
  }

  @Test
  void aRelayCanBeHadBeforeThereIsADelay() {
    LocalCassandraConfig config =
        LocalCassandraConfig.builder().nodes(2).relay(true).stateFolder(Path.of("/state")).build();
    assertThat(config.linkDelays()).contains(LinkDelays.uniform(2, Duration.ZERO));
    assertThat(config.peerAddress(2)).isEqualTo("127.0.1.2");
    assertThat(LocalCassandraConfig.read(ConfigJson.write(config), Optional.of(Path.of("/state"))))
        .usingRecursiveComparison()
        .isEqualTo(config);
  }

  @Test
  void stateFileHoldsAllThatAnAttachNeeds() {
    LocalCassandraConfig config =
        LocalCassandraConfig.builder()
            .nodes(2)
            .racks(2)
            .replicationFactor(1)
            .tokens(List.of("1,2", "3,4"))
            .heapMebibytes(200)
            .compiler(LocalCassandraConfig.Compiler.C2)
            .linkDelays(
                LinkDelays.matrix(
                    List.of(
                        List.of(Duration.ZERO, Duration.ofMillis(1)),
                        List.of(Duration.ofMillis(2), Duration.ZERO))))
            .block("127.7")
            .cqlPort(9999)
            .storagePort(7777)
            .jmxPort(7500)
            .yaml("read_request_timeout", "7s")
            .stateFolder(Path.of("/state"))
            .build();
    assertThat(ConfigJson.write(config).toString())
        .contains("\"tokens\":[\"1,2\",\"3,4\"]", "\"compiler\":\"C2\"", "\"jmxPort\":7500")
        .contains("\"linkDelaysNanos\":[[0,1000000],[2000000,0]]", "\"racks\":2")
        .contains("\"dataCentres\":[\"dc1\",\"dc1\"]")
        .contains("\"yaml\":{\"read_request_timeout\":\"7s\"}", "\"replicationFactor\":1");
    LocalCassandraConfig read =
        LocalCassandraConfig.read(ConfigJson.write(config), Optional.of(Path.of("/state")));
    assertThat(read).usingRecursiveComparison().isEqualTo(config);
    assertThat(read.linkDelays()).isEqualTo(config.linkDelays());
  }

  @Test
  void clustersInDifferentBlocksShareNoPort() {
    Set<String> taken = new HashSet<>();
    for (int block = 0; block <= 255; block++) {
      LocalCassandraConfig config =
          LocalCassandraConfig.builder()
              .nodes(LocalCassandraConfig.MAX_NODES)
              .block("127." + block)
              .linkDelays(LinkDelays.uniform(LocalCassandraConfig.MAX_NODES, Duration.ofMillis(5)))
              .build();
      for (Ports.Endpoint endpoint : Preflight.endpoints(config)) {
        assertThat(taken.add(endpoint.address() + ":" + endpoint.port()))
            .as(config.block() + " " + endpoint)
            .isTrue();
      }
    }
    assertThat(taken).contains("127.0.0.1:7200").hasSize(256 * 9 * 4);
  }

  @Test
  void everyPortOfEveryNodeAndTheRelayIsProbed() {
    LocalCassandraConfig config =
        LocalCassandraConfig.builder()
            .nodes(2)
            .block("127.9")
            .jmxPort(7300)
            .linkDelays(LinkDelays.uniform(2, Duration.ofMillis(5)))
            .build();
    assertThat(Preflight.endpoints(config))
        .extracting(Ports.Endpoint::toString)
        .containsExactly(
            "127.9.0.1:9042 (n1 CQL)",
            "127.9.0.1:7000 (n1 storage)",
            "127.0.0.1:7301 (n1 JMX)",
            "127.9.1.1:7000 (n1 relay)",
            "127.9.0.2:9042 (n2 CQL)",
            "127.9.0.2:7000 (n2 storage)",
            "127.0.0.1:7302 (n2 JMX)",
            "127.9.1.2:7000 (n2 relay)");
    assertThat(Preflight.neededBytes(config)).isEqualTo((2L * (256 + 350) + 100) << 20);
  }
}
