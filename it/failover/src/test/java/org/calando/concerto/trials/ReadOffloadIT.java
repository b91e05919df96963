package org.calando.concerto.trials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.calando.clock.LeaseFolders;
import org.calando.clock.Machine;
import org.calando.clock.MachineLease;
import org.calando.clock.ProcFs;
import org.calando.clock.thread.ThreadRule;
import org.calando.concerto.ManagedNode;
import org.calando.concerto.ManagerConfig;
import org.calando.concerto.PowerManager;
import org.calando.concerto.ReadOffload;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.calando.core.energy.PStates;
import org.calando.core.policy.clock.FixedClockPolicy;
import org.calando.engine.redis.IoThreads;
import org.calando.engine.redis.RedisRoles;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RoleMonitorConfig;
import org.calando.store.redis.ServerBuild;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** I/O threads of a real server, which is too old for them to be off-loaded. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ReadOffloadIT {
  private static final int PROCESSORS = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  @Test
  void ioThreadsOfThisMachinesRedisAreNotOffloadedAsTheySpin() {
    try (LocalRedis cluster = server()) {
      ServerBuild build = ServerBuild.of(node(cluster), Optional.empty(), Optional.empty());
      assertThat(build.product()).isEqualTo(ServerBuild.REDIS);
      assertThat(build.major()).isBetween(6, 7);
      assertThat(build.ioThreads()).isEqualTo(2);
      assertThat(build.pid()).isEqualTo(cluster.nodes().get(0).pid());
      assertThatThrownBy(
              () ->
                  ReadOffload.of(
                      CpuSet.of(1),
                      Map.of("n1", CpuSet.of(0)),
                      Map.of("n1", IoThreads.refusals(build, 64))))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("n1: I/O threads of " + build.describe() + " spin");
    }
  }

  @Test
  void threadsArePlacedByTheirNamesAndPutBackInTheEnd() throws IOException {
    int cpu = Math.min(1, Runtime.getRuntime().availableProcessors() - 1);
    CpuSet own = CpuSet.of(0);
    CpuSet fast = CpuSet.of(cpu);
    List<ThreadRule> rules =
        List.of(new ThreadRule(ReadOffload.IO_THREADS, fast), new ThreadRule("*", own));
    ManagedNode node = new ManagedNode("n1", own, rules, rules, Optional.of(fast));
    FakeClocks clocks = new FakeClocks(folder.resolve("cpu"), PROCESSORS);
    LeaseFolders folders = new LeaseFolders(folder.resolve("journals"), folder.resolve("owners"));
    List<String> troubles = new ArrayList<>();
    try (LocalRedis cluster = server()) {
      long pid = cluster.nodes().get(0).pid();
      // A thread has its maker's name until it comes to give itself its own.
      Map<String, CpuSet> before =
          await()
              .atMost(PATIENCE)
              .until(
                  () -> places(pid),
                  places ->
                      places.keySet().stream().anyMatch(name -> name.startsWith("io_thd_"))
                          && places.keySet().stream()
                                  .filter(name -> name.startsWith("redis-server"))
                                  .count()
                              == 1);
      try (MachineLease lease =
              MachineLease.begin(Machine.at(clocks.root()), folders, "test", troubles::add);
          PowerManager manager =
              PowerManager.start(
                  ManagerConfig.of(
                          List.of(node), FixedClockPolicy.ALL_LOW, PStates.xeonSilver4114())
                      .withListener(new Troubles(troubles)),
                  lease.clocks(Map.of("n1", own, ReadOffload.CLOCK, fast)),
                  Optional.of(lease.threads()),
                  RedisRoles.watch(
                      RoleMonitorConfig.of(List.of(node(cluster))), System::nanoTime))) {
        await()
            .atMost(PATIENCE)
            .untilAsserted(
                () ->
                    assertThat(places(pid))
                        .allSatisfy(
                            (name, cpus) ->
                                assertThat(cpus)
                                    .as(name)
                                    .isEqualTo(name.startsWith("io_thd_") ? fast : own)));
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    manager.energy().nodes().values().stream()
                        .anyMatch(each -> each.offload().seconds() > 0));
        if (cpu > 0) {
          assertThat(clocks.kiloHertz(cpu)).isEqualTo(FakeClocks.FASTEST);
          assertThat(clocks.kiloHertz(0)).isLessThan(FakeClocks.FASTEST);
        }
      }
      assertThat(places(pid)).isEqualTo(before);
    }
    assertThat(troubles).isEmpty();
  }

  private static LocalRedis server() {
    return LocalRedis.start(LocalRedisConfig.builder().nodes(1).ioThreads(2).build());
  }

  private static RedisNode node(LocalRedis cluster) {
    return new RedisNode("n1", "127.0.0.1", cluster.nodes().get(0).port());
  }

  /** Where the threads of a process may run, by their names. */
  private static Map<String, CpuSet> places(long pid) throws IOException {
    Map<String, CpuSet> places = new TreeMap<>();
    ProcFs proc = ProcFs.machine();
    for (int tid : proc.threads(pid)) {
      places.put(proc.name(pid, tid) + "," + tid, proc.allowed(pid, tid));
    }
    return places;
  }
}
