package org.calando.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.calando.core.BadRequestException;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientSettingsTest {
  private static Properties properties(String... keysAndValues) {
    Properties properties = new Properties();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      properties.setProperty(keysAndValues[i], keysAndValues[i + 1]);
    }
    return properties;
  }

  @Test
  void whatIsLeftOutIsAsInYcsbsOwnBinding() {
    ClientSettings settings =
        ClientSettings.of(properties("hosts", "127.0.0.1, 127.0.0.2"), Map.of());
    assertThat(settings.hosts()).hasSize(2).allMatch(host -> host.getPort() == 9042);
    assertThat(settings.keyspace()).isEqualTo("ycsb");
    assertThat(settings.table()).isEqualTo("usertable");
    assertThat(settings.writeLevel()).isEqualTo(ConsistencyLevel.ONE);
    assertThat(settings.readLevel()).isEmpty();
    assertThat(settings.tolerated()).isEqualTo(0.05);
    assertThat(settings.login()).isEmpty();
  }

  @Test
  void sharesMayBePercent() {
    assertThat(
            ClientSettings.of(properties("hosts", "127.0.0.1", "calando.tolerate", "20%"), Map.of())
                .tolerated())
        .isEqualTo(0.2);
  }

  @Test
  void thePasswordComesFromAFileOrTheEnvironment(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("password"), "secret\n");
    ClientSettings.Login fromFile =
        ClientSettings.of(
                properties(
                    "hosts",
                    "127.0.0.1",
                    "cassandra.username",
                    "u",
                    "calando.passwordfile",
                    file.toString()),
                Map.of())
            .login()
            .orElseThrow();
    assertThat(fromFile.password()).isEqualTo("secret");
    ClientSettings settings =
        ClientSettings.of(
            properties("hosts", "127.0.0.1", "cassandra.username", "u"),
            Map.of("CALANDO_PASSWORD", "other"));
    assertThat(settings.login().orElseThrow().password()).isEqualTo("other");
    assertThat(settings.toString()).doesNotContain("other");
  }

  @Test
  void aPropertyThatIsNotKnownIsRefusedWithTheNearest() {
    assertThatThrownBy(
            () ->
                ClientSettings.of(
                    properties(
                        "hosts", "127.0.0.1", "calando.tolerat", "0.1", "calando.colour", "red"),
                    Map.of()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(
            "calando.tolerat: there is no such property; did you mean calando.tolerate?")
        .hasMessageContaining(
            "calando.colour: there is no such property; use one of calando.tolerate");
  }

  @Test
  void aPasswordWithoutAUserIsRefused() {
    assertThatThrownBy(
            () ->
                ClientSettings.of(
                    properties("hosts", "127.0.0.1", "calando.passwordfile", "secret.txt"),
                    Map.of()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("calando.passwordfile: whose password is it?")
        .hasMessageContaining("cassandra.username");
  }

  @Test
  void allThatIsWrongIsSaidAtOnce() {
    assertThatThrownBy(
            () ->
                ClientSettings.of(
                    properties(
                        "cassandra.port",
                        "x",
                        "cassandra.readconsistencylevel",
                        "MOST",
                        "calando.tolerate",
                        "2",
                        "calando.policy",
                        "luck",
                        "cassandra.username",
                        "u",
                        "cassandra.password",
                        "p"),
                    Map.of()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("hosts: ''")
        .hasMessageContaining("cassandra.port: 'x'")
        .hasMessageContaining("cassandra.readconsistencylevel: 'MOST'")
        .hasMessageContaining("calando.tolerate: '2'")
        .hasMessageContaining("calando.policy: 'luck'")
        .hasMessageContaining("cassandra.password: others could read it")
        .hasMessageContaining("CALANDO_PASSWORD");
  }
}
