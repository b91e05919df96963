package org.calando.store.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.calando.core.FailedWorkException;
import org.calando.core.replication.Role;
import org.calando.core.replication.ServerUse;
import org.calando.http.Credentials;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.store.redis.LagProbe;
import org.calando.store.redis.LagProbe.NodeLag;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.internal.wire.RespCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On a real master and two replicas. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LagProbeIT {
  private static final long POLL = 5_000_000;
  private static final int WRITES = 2_000;
  private static final int VALUE_BYTES = 512;

  @Test
  void itFindsAllNodesAndCountsWhatTheyDo() {
    try (LocalRedis cluster =
        LocalRedis.start(LocalRedisConfig.builder().nodes(3).auth(true).build())) {
      Optional<Credentials> credentials =
          Optional.of(Credentials.withPasswordFile("", cluster.passwordFile().orElseThrow()));
      RedisNode master = new RedisNode("n1", "localhost", cluster.nodes().get(0).port());
      RedisNode replica = new RedisNode("n2", "127.0.0.1", cluster.nodes().get(1).port());
      assertThatThrownBy(
              () ->
                  LagProbe.open(
                      List.of(master), Optional.empty(), Optional.empty(), POLL, System::nanoTime))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("n1");
      try (LagProbe probe =
              LagProbe.open(
                  List.of(replica), credentials, Optional.empty(), POLL, System::nanoTime);
          RespCall writer = RespCall.open(master, credentials, Optional.empty());
          RespCall reader = RespCall.open(replica, credentials, Optional.empty())) {
        probe.begin();
        write(probe, writer);
        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(() -> assertThat(reader.ask("GET", "key")).isInstanceOf(String.class));
        List<NodeLag> seen = caughtUp(probe);
        assertThat(seen).hasSize(3);
        assertThat(seen).filteredOn(of(Role.MASTER)).hasSize(1);
        assertThat(seen).filteredOn(of(Role.REPLICA)).hasSize(2).allSatisfy(LagProbeIT::hasLooks);
        assertThat(seen).allSatisfy(LagProbeIT::didTheWrites);
        assertThat(named(seen, "n2").use().orElseThrow().readsPerSecond()).isPositive();
      }
    }
  }

  private static void write(LagProbe probe, RespCall writer) {
    String value = "x".repeat(VALUE_BYTES);
    for (int i = 0; i < WRITES; i++) {
      assertThat(writer.ask("SET", "key", value)).isEqualTo("OK");
      probe.look();
    }
  }

  /** Looks until every replica has been looked at some times and applied everything. */
  private static List<NodeLag> caughtUp(LagProbe probe) {
    while (true) {
      probe.look();
      List<NodeLag> seen = probe.end();
      boolean done =
          seen.stream()
              .allMatch(
                  node ->
                      writes(node) == WRITES
                          && (node.view().role() == Role.MASTER || node.lagBytes().looks() > 3));
      if (done) {
        return seen;
      }
    }
  }

  private static void hasLooks(NodeLag replica) {
    assertThat(replica.view().word().linkUp()).isTrue();
    assertThat(replica.lagBytes().max()).isGreaterThanOrEqualTo(0);
    assertThat(replica.lagNanos().max()).isGreaterThanOrEqualTo(0);
  }

  private static void didTheWrites(NodeLag node) {
    ServerUse use = node.use().orElseThrow();
    assertThat(use.bytesPerWrite()).isBetween((double) VALUE_BYTES, 2.0 * VALUE_BYTES);
    assertThat(use.busyShare()).isBetween(0.0, 1.05);
    assertThat(use.writeNanos()).isGreaterThan(use.writeExecutionNanos());
    assertThat(use.ioNanosPerCommand()).isZero();
  }

  private static long writes(NodeLag node) {
    return node.use().map(use -> Math.round(use.writesPerSecond() * use.seconds())).orElse(-1L);
  }

  private static Predicate<NodeLag> of(Role role) {
    return node -> node.view().role() == role;
  }

  private static NodeLag named(List<NodeLag> seen, String name) {
    return seen.stream().filter(node -> node.node().name().equals(name)).findFirst().orElseThrow();
  }
}
