package org.calando.store.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.calando.store.redis.ServerBuild;
import org.calando.store.redis.internal.wire.RespReader;
import org.junit.jupiter.api.Test;

class BuildReaderTest {
  private static final Object REFUSED = new RespReader.Refusal("NOPERM");

  @Test
  void redisTellsItsVersionAndItsThreads() {
    ServerBuild build =
        BuildReader.build(Map.of("redis_version", "8.0.2"), List.of("io-threads", "3"), 17);
    assertThat(build).isEqualTo(new ServerBuild("redis", "8.0.2", 3, 17));
    assertThat(build.major()).isEqualTo(8);
    assertThat(build.describe()).isEqualTo("Redis 8.0.2");
  }

  @Test
  void valkeyIsNotTheRedisThatItStandsFor() {
    Map<String, String> server =
        Map.of("redis_version", "7.2.4", "valkey_version", "8.0.1", "server_name", "valkey");
    ServerBuild build = BuildReader.build(server, List.of("io-threads", "1"), 0);
    assertThat(build).isEqualTo(new ServerBuild("valkey", "8.0.1", 1, 0));
    assertThat(build.describe()).isEqualTo("Valkey 8.0.1");
  }

  @Test
  void threadsAreUnknownOfWhoDoesNotTellAndRunsElsewhere() {
    ServerBuild build = BuildReader.build(Map.of("redis_version", "8.0.2"), REFUSED, 0);
    assertThat(build.ioThreads()).isZero();
  }

  @Test
  void threadsAreCountedOfWhoDoesNotTellAndRunsHere() {
    // This process has none of the name, so one thread does everything.
    long pid = ProcessHandle.current().pid();
    assertThat(BuildReader.build(Map.of(), REFUSED, pid).ioThreads()).isEqualTo(1);
  }

  @Test
  void aVersionWithoutNumberIsOlderThanAny() {
    assertThat(new ServerBuild("redis", "unstable", 2, 1).major()).isZero();
    assertThat(new ServerBuild("redis", "", 2, 1).major()).isZero();
  }
}
