package org.calando.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.calando.http.Credentials;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CassandraStoreConfigTest {
  @Test
  void namesThatWouldNeedEscapingAreRefused() {
    for (String name : new String[] {"", "Calando", "a-b", "1a", "a b", "a;DROP TABLE x"}) {
      assertThatThrownBy(
              () -> CassandraStoreConfig.builder().contactPoint("h", 1).keyspace(name).build())
          .as(name)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("keyspace");
    }
    assertThat(CassandraStoreConfig.isName("calando_2")).isTrue();
  }

  @Test
  void credentialsShowNeitherUserNorPassword(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("secret");
    Files.writeString(file, "lovelace\n");
    Credentials credentials = Credentials.withPasswordFile("ada", file);
    CassandraStoreConfig config =
        CassandraStoreConfig.builder().contactPoint("h", 1).credentials(credentials).build();

    assertThat(credentials.user()).isEqualTo("ada");
    assertThat(credentials.password()).isEqualTo("lovelace");
    assertThat(credentials + " " + config).doesNotContain("ada").doesNotContain("lovelace");
  }

  @Test
  void missingCredentialsNameThePlaceAndNotTheValue(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("secret");
    Files.writeString(file, "\nlovelace\n");
    assertThatThrownBy(() -> Credentials.withPasswordFile("ada", file))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(file.toString())
        .hasMessageNotContaining("lovelace");
    assertThatThrownBy(() -> Credentials.withPasswordFile("ada", folder.resolve("absent")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("absent");
    assertThatThrownBy(() -> Credentials.withPasswordVariable("ada", Map.of(), "P"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("set P");
  }

  @Test
  void endpointsAreParsedInEveryForm() {
    assertThat(Endpoint.parse("10.0.0.1", 9042)).isEqualTo(new Endpoint("10.0.0.1", 9042));
    assertThat(Endpoint.parse(" c1:19042 ", 9042)).isEqualTo(new Endpoint("c1", 19042));
    assertThat(Endpoint.parse("[::1]:7", 9042)).isEqualTo(new Endpoint("::1", 7));
    assertThat(Endpoint.parse("::1", 9042)).hasToString("[::1]:9042");
    for (String wrong : new String[] {"", "c1:", "c1:x", "c1:70000", "[::1", "[::1]7"}) {
      assertThatThrownBy(() -> Endpoint.parse(wrong, 9042))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void replicasOfSeveralDataCentresAreAdded() {
    assertThat(new Replication.NetworkTopology(Map.of("a", 3, "b", 2)).replicas()).isEqualTo(5);
    assertThatThrownBy(() -> new Replication.NetworkTopology(Map.of("a", 0)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Replication.Simple(0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
