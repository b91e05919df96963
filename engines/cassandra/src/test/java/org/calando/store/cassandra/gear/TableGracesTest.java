package org.calando.store.cassandra.gear;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.calando.http.Credentials;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.gear.RackServers.Graces;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableGracesTest {
  @Test
  void keyspacesOfClientsMayBeNamedLikeThoseOfCassandra() {
    assertThat(TableGraces.isOfClients("shop")).isTrue();
    assertThat(TableGraces.isOfClients("systems_of_ours")).isTrue();
    assertThat(TableGraces.isOfClients("system_auth")).isTrue();
    assertThat(TableGraces.isOfClients("system_traces")).isFalse();
  }

  @Test
  void aClusterThatDoesNotAnswerTellsNothing(@TempDir Path folder) throws IOException {
    CassandraStoreConfig.Builder nobody =
        CassandraStoreConfig.builder().contactPoint("127.0.0.1", 1);
    Graces open = new TableGraces(nobody.build()).all();
    assertThat(open.unknown()).isPresent();
    assertThat(open.isSecured()).isFalse();
    Path password = Files.writeString(folder.resolve("password"), "secret");
    nobody.credentials(Credentials.withPasswordFile("app", password));
    Graces secured = new TableGraces(nobody.build()).all();
    assertThat(secured.unknown()).isPresent();
    assertThat(secured.isSecured()).isTrue();
  }
}
