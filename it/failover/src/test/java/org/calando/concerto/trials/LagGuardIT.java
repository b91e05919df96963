package org.calando.concerto.trials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.calando.clock.ClockOutcome;
import org.calando.clock.LeaseFolders;
import org.calando.clock.Machine;
import org.calando.clock.MachineLease;
import org.calando.concerto.ManagedNode;
import org.calando.concerto.ManagerConfig;
import org.calando.concerto.ManagerListener;
import org.calando.concerto.ManagerTimes;
import org.calando.concerto.PowerManager;
import org.calando.core.CpuSet;
import org.calando.core.energy.PStates;
import org.calando.core.policy.Decision;
import org.calando.core.policy.clock.ClockLimits;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.clock.ConcertoPolicy;
import org.calando.engine.redis.RedisRoles;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.local.redis.LocalRedisNode;
import org.calando.slowcores.SlowCores;
import org.calando.slowcores.SlowServers;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RoleMonitorConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real replica on a core so slow that it falls behind what its master takes. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LagGuardIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final long MILLI = 1_000_000;
  private static final int BATCH = 100;
  private static final int BATCHES = 300;

  /** A word is never too old here, so that only its lag raises a replica that is slow to answer. */
  private static final long MAX_AGE_NANOS = 60_000 * MILLI;

  /** Sixty times slower than the fastest. */
  private static final long SLOWEST = FakeClocks.FASTEST / 60;

  private static final long LAG_BYTES = 256 << 10;
  private static final long LAG_NANOS = 200 * MILLI;
  private static final int REPLICA_CORE = 1;

  @TempDir Path folder;
  private final List<Seen> decisions = new CopyOnWriteArrayList<>();
  private FakeClocks clocks;

  /** What was known of the replica, the clock decided for it, and the reasons for all. */
  private record Seen(long lagBytes, long lagNanos, long kiloHertz, String reasons) {}

  @Test
  void aReplicaThatFallsBehindIsRaisedUntilItHasCaughtUp() throws IOException {
    clocks = new FakeClocks(folder.resolve("cpu"), 2, List.of(FakeClocks.FASTEST, SLOWEST));
    try (SlowCores cores = SlowCores.start(folder.resolve("slow"), clocks.cpufreq());
        SlowServers servers = SlowServers.follow(cores, told -> {});
        LocalRedis cluster = LocalRedis.start(config(cores));
        MachineLease lease =
            MachineLease.begin(
                Machine.at(clocks.root()),
                new LeaseFolders(folder.resolve("journals"), folder.resolve("owners")),
                "lag guard",
                told -> {})) {
      await().atMost(PATIENCE).until(() -> servers.placed().size() == 2);
      try (PowerManager manager = manager(cluster, lease)) {
        await().atMost(PATIENCE).until(() -> clock() == SLOWEST);
        decisions.clear();
        writeMoreThanItCanTake(cluster.nodes().get(0).port());
        // A clock is seen before the decision that set it is told.
        await().atMost(PATIENCE).until(() -> seen(LagGuardIT::isBehind).isPresent());
        Seen raise = seen(LagGuardIT::isBehind).orElseThrow();
        assertThat(raise.kiloHertz()).as("%s", raise).isEqualTo(FakeClocks.FASTEST);
        assertThat(raise.lagBytes() > LAG_BYTES || raise.lagNanos() > LAG_NANOS)
            .as("%s", raise)
            .isTrue();
        await().atMost(PATIENCE).until(() -> loweredAfter(raise).isPresent());
        Seen lowered = loweredAfter(raise).orElseThrow();
        assertThat(lowered.lagBytes()).as("%s", lowered).isBetween(0L, LAG_BYTES / 2);
        assertThat(lowered.lagNanos()).as("%s", lowered).isBetween(0L, LAG_NANOS / 2);
        assertThat(copies(cluster)).isEqualTo(1);
        assertThat(manager.problems()).isEmpty();
      }
    }
  }

  private static boolean isBehind(Seen seen) {
    return seen.reasons().contains("n2 2.2 GHz: lags by");
  }

  private Optional<Seen> seen(Predicate<Seen> which) {
    return decisions.stream().filter(which).findFirst();
  }

  private Optional<Seen> loweredAfter(Seen raise) {
    return decisions.stream()
        .skip(decisions.indexOf(raise))
        .filter(seen -> seen.kiloHertz() == SLOWEST)
        .findFirst();
  }

  /**
   * Writes that take the processor and hardly the link, pipelined: work of a fraction of a second
   * for the master, and of many for the slow replica.
   */
  private static void writeMoreThanItCanTake(int port) throws IOException {
    try (Resp link = new Resp(port, 10_000)) {
      link.ask("SETRANGE", "bits", "32767", "x");
    }
    byte[] batch =
        "*4\r\n$5\r\nBITOP\r\n$3\r\nNOT\r\n$3\r\nnot\r\n$4\r\nbits\r\n"
            .repeat(BATCH)
            .getBytes(StandardCharsets.US_ASCII);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      for (int i = 0; i < BATCHES; i++) {
        socket.getOutputStream().write(batch);
        assertThat(socket.getInputStream().readNBytes(":32768\r\n".length() * BATCH))
            .startsWith(':', '3', '2', '7', '6', '8');
      }
    }
  }

  /** How many replicas have all that was written. */
  private static int copies(LocalRedis cluster) throws IOException {
    try (Resp master = new Resp(cluster.nodes().get(0).port(), 10_000)) {
      master.ask("SET", "last", "1");
      return Integer.parseInt(master.ask("WAIT", "1", "9000").get(0));
    }
  }

  private long clock() {
    return clocks.kiloHertz(REPLICA_CORE);
  }

  private PowerManager manager(LocalRedis cluster, MachineLease lease) {
    ClockLimits limits =
        new ClockLimits(MAX_AGE_NANOS, 100 * MILLI, 300 * MILLI, LAG_BYTES, LAG_NANOS, 0.5);
    ManagerConfig config =
        ManagerConfig.of(
                List.of(
                    ManagedNode.of("n1", CpuSet.of(0)),
                    ManagedNode.of("n2", CpuSet.of(REPLICA_CORE))),
                new ConcertoPolicy(limits),
                PStates.ofClocks(List.of(FakeClocks.FASTEST, SLOWEST), PStates.USUAL_VOLTAGE_RATIO))
            .withTimes(new ManagerTimes(20 * MILLI, 1_000 * MILLI, 1_000 * MILLI))
            .withListener(new Looks());
    RoleMonitorConfig watched =
        RoleMonitorConfig.of(cluster.nodes().stream().map(LagGuardIT::address).toList())
            .withTimes(20 * MILLI, 5_000 * MILLI, MAX_AGE_NANOS);
    return PowerManager.start(
        config,
        lease.clocks(Map.of("n1", CpuSet.of(0), "n2", CpuSet.of(REPLICA_CORE))),
        Optional.empty(),
        RedisRoles.watch(watched, System::nanoTime));
  }

  private static LocalRedisConfig config(SlowCores cores) {
    return LocalRedisConfig.builder()
        .nodes(2)
        .binary(cores.slowable(Path.of("/usr/bin/redis-server")).toString())
        .build();
  }

  private static RedisNode address(LocalRedisNode node) {
    return new RedisNode(node.name(), node.address(), node.port());
  }

  /** Keeps what was known of the replica at each decision. */
  private final class Looks implements ManagerListener {
    @Override
    public void decided(Decision<?> decided, List<ClockOutcome> outcomes) {
      long kiloHertz =
          decided.step().settings().stream()
              .filter(setting -> setting.target().equals("n2"))
              .mapToLong(setting -> (Long) setting.value())
              .findFirst()
              .orElse(0);
      decided.signals().get(ClockObservation.CLOCKS).nodes().stream()
          .map(ClockObservation.Node::view)
          .filter(view -> view.node().equals("n2"))
          .forEach(
              view ->
                  decisions.add(
                      new Seen(
                          view.lagBytes().orElse(-1),
                          view.lagNanos().orElse(-1),
                          kiloHertz,
                          String.join("; ", decided.step().reasons()))));
    }
  }
}
