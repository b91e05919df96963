package org.calando.engine.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.calando.store.redis.ServerBuild;
import org.junit.jupiter.api.Test;

class IoThreadsTest {
  private static final ServerBuild REDIS_8 = new ServerBuild("redis", "8.0.2", 3, 17);

  @Test
  void redis8WithIoThreadsAndProcessorsToSpareIsNotRefused() {
    assertThat(IoThreads.refusals(REDIS_8, 5)).isEmpty();
    assertThat(IoThreads.refusals(new ServerBuild("redis", "10.1.0", 2, 17), 4)).isEmpty();
  }

  @Test
  void serversWhoseIoThreadsSpinAreRefused() {
    for (ServerBuild server :
        List.of(
            new ServerBuild("redis", "7.0.15", 3, 17),
            new ServerBuild("redis", "", 3, 17),
            new ServerBuild("valkey", "8.0.1", 3, 17))) {
      assertThat(IoThreads.refusals(server, 64))
          .singleElement()
          .asString()
          .contains(server.describe(), "spin");
    }
  }

  @Test
  void aServerWithoutIoThreadsIsRefused() {
    assertThat(IoThreads.refusals(new ServerBuild("redis", "8.0.2", 1, 17), 64))
        .singleElement()
        .asString()
        .contains("io-threads is 1");
    assertThat(IoThreads.refusals(new ServerBuild("redis", "8.0.2", 0, 17), 64))
        .singleElement()
        .asString()
        .contains("does not report");
  }

  @Test
  void tooFewProcessorsAreRefused() {
    assertThat(IoThreads.refusals(REDIS_8, 4))
        .singleElement()
        .asString()
        .contains("4 processors", "needs 5");
  }

  @Test
  void aServerElsewhereIsRefused() {
    assertThat(IoThreads.refusals(new ServerBuild("redis", "8.0.2", 3, 0), 64))
        .singleElement()
        .asString()
        .contains("this machine");
  }
}
