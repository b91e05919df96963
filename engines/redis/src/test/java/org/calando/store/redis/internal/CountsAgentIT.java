package org.calando.store.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.calando.core.replication.ServerCounts;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.local.redis.LocalRedisNode;
import org.calando.store.redis.CountsMonitor;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.internal.wire.RespCall;
import org.junit.jupiter.api.Test;

/** On a real server, as if it ran on another machine. */
class CountsAgentIT {
  private static final Duration LONG = Duration.ofMinutes(1);

  /** The server reports microseconds; the kernel splits time into both kinds by its own ticks. */
  private static final long RESOLUTION_NANOS = 4_000_000;

  @Test
  void theCpuTimeOfAServerElsewhereIsThatWhichItReports() {
    BlockingQueue<ServerCounts> told = new LinkedBlockingQueue<>();
    try (LocalRedis cluster = LocalRedis.start(LocalRedisConfig.builder().nodes(1).build())) {
      LocalRedisNode server = cluster.nodes().get(0);
      RedisNode node = new RedisNode("n1", server.address(), server.port());
      LocalProcess process = new LocalProcess(server.pid());
      long before = ThreadTimes.mainNanos(process);
      try (CountsAgent agent =
              CountsAgent.start(
                  List.of(node),
                  Optional.empty(),
                  Optional.empty(),
                  CountsMonitor.SHORTEST_NANOS,
                  System::nanoTime,
                  new Queued(told),
                  (host, pid, uptimeSeconds) -> Optional.empty());
          RespCall client = RespCall.open(node, Optional.empty(), Optional.empty())) {
        await()
            .atMost(LONG)
            .untilAsserted(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    client.ask("SET", "key", "value");
                  }
                  ServerCounts counts = told.take();
                  long after = ThreadTimes.mainNanos(process);
                  assertThat(counts.writes()).isPositive();
                  assertThat(counts.mainCpuNanos())
                      .isBetween(before - RESOLUTION_NANOS, after + RESOLUTION_NANOS);
                  assertThat(counts.mainCpuNanos() - before).isGreaterThan(RESOLUTION_NANOS);
                  assertThat(agent.problems()).isEmpty();
                });
      }
    }
  }

  private record Queued(BlockingQueue<ServerCounts> told) implements CountsMonitor.Listener {
    @Override
    public void counted(String node, ServerCounts counts) {
      told.add(counts);
    }

    @Override
    public void lost(String node) {}
  }
}
