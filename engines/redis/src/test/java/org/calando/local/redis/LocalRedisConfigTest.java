package org.calando.local.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.local.ConfigJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalRedisConfigTest {
  @TempDir Path folder;

  @Test
  void allThatIsWrongIsTold() {
    assertThatThrownBy(
            () ->
                LocalRedisConfig.builder()
                    .nodes(0)
                    .sentinels(2)
                    .ioThreads(0)
                    .basePort(80)
                    .setting("port", "1")
                    .setting("a b", "1")
                    .setting("maxmemory", "1\nport 5")
                    .build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("nodes 0")
        .hasMessageContaining("sentinels 2")
        .hasMessageContaining("io-threads 0")
        .hasMessageContaining("port 80")
        .hasMessageContaining("'port' is set by Calando itself")
        .hasMessageContaining("'a b' is no setting")
        .hasMessageContaining("'maxmemory' is no setting");
  }

  @Test
  void aProgramThatIsNotThereIsABadRequest() {
    for (String binary : List.of("no-such-redis-server", "/no/such/redis-server")) {
      LocalRedisConfig config = LocalRedisConfig.builder().binary(binary).build();
      assertThatThrownBy(() -> LocalRedis.check(config))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining(binary);
    }
  }

  @Test
  void freePortsDiffer() {
    LocalRedisConfig config = LocalRedisConfig.builder().nodes(5).sentinels(3).build();
    // Those of outgoing connections, which take the port of a node that is off, are higher.
    assertThat(RedisPreflight.ports(config))
        .hasSize(8)
        .doesNotHaveDuplicates()
        .allMatch(port -> port < 32_768);
  }

  @Test
  void portsFollowTheFirst() {
    LocalRedisConfig config =
        LocalRedisConfig.builder().nodes(2).sentinels(1).basePort(7001).build();
    assertThat(RedisPreflight.ports(config)).containsExactly(7001, 7002, 7003);
  }

  @Test
  void replicasFollowTheFirstNodeAndNobodyElseReadsThePassword() throws IOException {
    LocalRedisConfig config =
        LocalRedisConfig.builder().auth(true).setting("maxmemory", "64mb").build();
    RedisFiles files = new RedisFiles(config, List.of(7001, 7002, 7003), folder);
    Path master = files.writeNode(1, Optional.of("secret"));
    Path replica = files.writeNode(2, Optional.of("secret"));
    assertThat(Files.readString(master))
        .contains("port 7001\n", "requirepass secret\n", "maxmemory 64mb\n", "save \"\"\n")
        .doesNotContain("replicaof");
    assertThat(Files.readString(replica)).contains("replicaof 127.0.0.1 7001\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(replica)))
        .isEqualTo("rw-------");
  }

  @Test
  void aFileThatTheServerHasRewrittenIsLeft() throws IOException {
    LocalRedisConfig config = LocalRedisConfig.builder().build();
    RedisFiles files = new RedisFiles(config, List.of(7001, 7002, 7003), folder);
    Path file = files.writeNode(2, Optional.empty());
    Files.writeString(file, "replicaof 127.0.0.1 7003\n");
    assertThat(files.writeNode(2, Optional.empty())).hasContent("replicaof 127.0.0.1 7003\n");
  }

  @Test
  void aConfigurationComesBackFromItsStateFile() {
    LocalRedisConfig config =
        LocalRedisConfig.builder()
            .nodes(4)
            .sentinels(3)
            .ioThreads(2)
            .auth(true)
            .setting("maxmemory", "1gb")
            .build();
    var json = ConfigJson.write(config, List.of(1, 2, 3));
    assertThat(
            ConfigJson.write(
                ConfigJson.read(json, Optional.of(folder), LocalRedisConfig.builder()).build(),
                ConfigJson.ports(json)))
        .isEqualTo(json);
  }
}
