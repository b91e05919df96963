package org.calando.local.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.calando.local.relay.LinkDelays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeFilesTest {
  @Test
  void nodesReachEachOtherThroughTheRelayAndClientsDirectly() throws IOException {
    LocalCassandraConfig config =
        LocalCassandraConfig.builder()
            .nodes(2)
            .block("127.9")
            .linkDelays(LinkDelays.uniform(2, Duration.ofMillis(1)))
            .build();
    assertThat(new NodeFiles(config, 2, Path.of("/run")).yamlText().lines())
        .contains(
            "listen_address: \"127.9.0.2\"",
            "broadcast_address: \"127.9.1.2\"",
            "rpc_address: \"127.9.0.2\"",
            "broadcast_rpc_address: \"127.9.0.2\"",
            "data_file_directories: [\"/run/n2/data\"]")
        .anyMatch(line -> line.contains("127.9.1.1:7000,127.9.1.2:7000"));
  }

  @Test
  void twoTokensMakeTwoVirtualNodes() throws IOException {
    LocalCassandraConfig config =
        LocalCassandraConfig.builder().nodes(2).tokens(List.of("1,2", "3")).build();
    assertThat(new NodeFiles(config, 1, Path.of("/run")).yamlText().lines())
        .contains("num_tokens: 2", "initial_token: \"1,2\"");
    assertThat(new NodeFiles(config, 2, Path.of("/run")).yamlText().lines())
        .contains("num_tokens: 1", "initial_token: \"3\"");
  }

  @Test
  void aGivenSettingReplacesOurs() throws IOException {
    LocalCassandraConfig config =
        LocalCassandraConfig.builder()
            .yaml("auto_snapshot", true)
            .yaml("new_key", List.of(1))
            .build();
    assertThat(new NodeFiles(config, 1, Path.of("/run")).yamlText().lines())
        .contains("auto_snapshot: true", "new_key: [1]")
        .doesNotContain("auto_snapshot: false");
  }

  @Test
  void hintsAreFlushedAsTheFileThatWasWrittenLastSays(@TempDir Path run) throws IOException {
    NodeFiles files = new NodeFiles(LocalCassandraConfig.builder().build(), 1, run);
    assertThat(files.hintsFlush()).isEqualTo(Duration.ofSeconds(10));
    files.write();
    assertThat(files.hintsFlush()).isEqualTo(Duration.ofSeconds(1));
    Files.writeString(files.yaml(), "cluster_name: \"of an older version\"\n");
    assertThat(files.hintsFlush()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void usersAndTlsAreAskedForWhereTheyAreWanted(@TempDir Path run) throws IOException {
    LocalCassandraConfig config =
        LocalCassandraConfig.builder().nodes(1).auth(true).tls(true).build();
    Files.writeString(NodeCertificates.passwordFile(run), "hunter2\n");
    assertThat(new NodeFiles(config, 1, run).yamlText().lines())
        .contains(
            "authenticator: \"PasswordAuthenticator\"",
            "authorizer: \"CassandraAuthorizer\"",
            "credentials_validity: \"0ms\"")
        .filteredOn(line -> line.startsWith("client_encryption_options"))
        .singleElement()
        .satisfies(
            line ->
                assertThat(line)
                    .contains("\"enabled\":true")
                    .contains("\"optional\":false")
                    .contains("/n1.p12")
                    .contains("hunter2"));
    LocalCassandraConfig open = LocalCassandraConfig.builder().nodes(1).build();
    assertThat(new NodeFiles(open, 1, run).yamlText())
        .doesNotContain("authenticator")
        .doesNotContain("client_encryption");
  }

  @Test
  void racksTakeTurns(@TempDir Path run) throws IOException {
    LocalCassandraConfig config = LocalCassandraConfig.builder().nodes(3).racks(2).build();
    for (int node = 1; node <= 3; node++) {
      NodeFiles files = new NodeFiles(config, node, run);
      files.write();
      assertThat(Files.readString(files.rackProperties()))
          .contains("rack=r" + (node == 2 ? 2 : 1) + "\n");
    }
  }

  @Test
  void generationsAreReadFromTheFailureDetectorsText() throws IOException {
    String states =
        """
        /127.9.1.1
          generation:1700000001
          heartbeat:12
          STATUS:18:NORMAL,0
        localhost/127.9.1.2
          generation:1700000002
          heartbeat:7
        """;
    assertThat(NodeProbe.generations(states))
        .containsEntry("127.9.1.1", 1700000001)
        .containsEntry("127.9.1.2", 1700000002)
        .hasSize(2);
  }
}
