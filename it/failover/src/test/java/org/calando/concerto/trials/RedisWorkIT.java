package org.calando.concerto.trials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.calando.core.policy.clock.ClockObservation.Work;
import org.calando.engine.redis.RedisWork;
import org.calando.http.Credentials;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.store.redis.CountsMonitor;
import org.calando.store.redis.RedisNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The measurement of work on a real master and its replica. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RedisWorkIT {
  private static final long FAST = 2_200_000;
  private static final long SLOW = 1_000_000;
  private static final int TIMEOUT_MILLIS = 5_000;
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  @Test
  void workIsMeasuredOfRunningServersAndOfNoStoppedOne() throws IOException {
    AtomicLong clock = new AtomicLong(FAST);
    try (LocalRedis cluster =
            LocalRedis.start(LocalRedisConfig.builder().nodes(2).auth(true).build());
        RedisWork work =
            RedisWork.start(
                cluster.nodes().stream()
                    .map(node -> new RedisNode(node.name(), node.address(), node.port()))
                    .toList(),
                cluster.passwordFile().map(RedisWorkIT::credentials),
                Optional.empty(),
                CountsMonitor.SHORTEST_NANOS,
                node -> clock.get(),
                System::nanoTime);
        Resp master = new Resp(cluster.nodes().get(0).port(), TIMEOUT_MILLIS)) {
      master.ask("AUTH", credentials(cluster.passwordFile().orElseThrow()).password());
      Both both = measured(work, master, FAST);
      Work replica = both.replica();
      assertThat(replica.busyShare()).isBetween(0.0, 1.0);
      assertThat(replica.nanosPerWrite()).isBetween(100.0, 100_000_000.0);
      assertThat(replica.readsPerSecond()).isZero();
      assertThat(both.master().readsPerSecond()).isPositive();
      assertThat(work.problems()).isEmpty();
      clock.set(SLOW);
      assertThat(measured(work, master, SLOW).replica().writesPerSecond()).isPositive();
      assertThat(work.cpuNanos()).isPositive();
      cluster.kill(2);
      await()
          .atMost(Duration.ofNanos(PATIENCE_NANOS))
          .untilAsserted(
              () -> {
                assertThat(work.work("n2")).isEmpty();
                assertThat(work.work("n1")).isPresent();
                assertThat(work.problems()).singleElement().asString().contains("n2");
              });
    }
  }

  /** What was measured of both at one time. */
  private record Both(Work master, Work replica) {}

  /** Work with the replica's at a clock, under some writes and reads of its master. */
  private static Both measured(RedisWork work, Resp master, long kiloHertz) throws IOException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      master.ask("SET", "key", "value");
      master.ask("GET", "key");
      Optional<Work> replica = work.work("n2");
      Optional<Work> both = work.work("n1").filter(one -> one.readsPerSecond() > 0);
      if (both.isPresent()
          && replica.isPresent()
          && replica.get().clockKHz() == kiloHertz
          && replica.get().writesPerSecond() > 0) {
        return new Both(both.get(), replica.get());
      }
      assertThat(System.nanoTime()).as("work at %d kHz", kiloHertz).isLessThan(deadline);
    }
  }

  private static Credentials credentials(Path passwordFile) {
    return Credentials.withPasswordFile("", passwordFile);
  }
}
