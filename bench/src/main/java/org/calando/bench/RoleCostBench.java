package org.calando.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.calando.clock.LeaseFolders;
import org.calando.clock.Machine;
import org.calando.clock.MachineLease;
import org.calando.clock.NodeClocks;
import org.calando.concerto.ManagedNode;
import org.calando.concerto.ManagerConfig;
import org.calando.concerto.PowerManager;
import org.calando.concerto.trials.FakeClocks;
import org.calando.core.CpuSet;
import org.calando.core.energy.PStates;
import org.calando.core.policy.clock.ClockLimits;
import org.calando.core.policy.clock.ConcertoPolicy;
import org.calando.engine.redis.RedisRoles;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.local.redis.LocalRedisNode;
import org.calando.report.Statistics;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RoleMonitorConfig;

/*
 * Five real masters with nineteen replicas each, all idle, on a fake tree of a hundred clocks. One manager
 * manages them all, by questions each 100 ms, or by Sentinels' events and a question each second. A round
 * has both, in random order, each for so many seconds after it has settled. The cost is CPU time of the
 * manager's threads (the watch of roles, decisions, clocks, account) over elapsed time; what the compiler
 * and the garbage collector of its process take is told beside it.
 */
/** What managing a hundred instances costs. */
public final class RoleCostBench {
  private static final int CLUSTERS = 5;
  private static final long MILLI_NANOS = 1_000_000;
  private static final long SETTLE_MILLIS = 3_000;
  private static final long WARM_UP_MILLIS = 30_000;
  private static final long STATUS_NANOS = 5_000 * MILLI_NANOS;
  private static final long SILENCE_NANOS = 3_000 * MILLI_NANOS;

  /** Power of one of a Xeon Silver 4114's ten cores, the paper's processor: 85 W over ten. */
  private static final double CORE_WATTS = 8.5;

  private enum Way {
    POLL("a question each 100 ms", 100 * MILLI_NANOS, 0.025),
    EVENTS("events, and a question each second", 1_000 * MILLI_NANOS, 0.005);

    private final String words;
    private final long pollNanos;
    private final double target;

    Way(String words, long pollNanos, double target) {
      this.words = words;
      this.pollNanos = pollNanos;
      this.target = target;
    }
  }

  private final List<RedisNode> nodes = new ArrayList<>();
  private final List<ManagedNode> managed = new ArrayList<>();
  private final Map<String, CpuSet> cpus = new TreeMap<>();
  private final List<RedisNode> sentinels = new ArrayList<>();

  /** Percent of a core: of the manager's threads, and of the whole process. */
  private record Cost(Way way, double threads, double process) {}

  private RoleCostBench() {}

  /** {@code RoleCostBench [ROUNDS=8] [SECONDS=10] [SEED=42]}. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 8;
    int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10;
    long seed = arguments.length > 2 ? Long.parseLong(arguments[2]) : 42;
    Path folder = Files.createTempDirectory("calando-rolecost");
    try {
      new RoleCostBench().run(folder, rounds, seconds, new Random(seed));
    } finally {
      delete(folder);
    }
  }

  private void run(Path folder, int rounds, int seconds, Random random)
      throws InterruptedException {
    List<LocalRedis> clusters = new ArrayList<>();
    List<Cost> costs = new ArrayList<>();
    try {
      for (int cluster = 1; cluster <= CLUSTERS; cluster++) {
        clusters.add(start(cluster));
      }
      FakeClocks clocks = new FakeClocks(folder.resolve("cpu"), nodes.size());
      LeaseFolders folders = new LeaseFolders(folder.resolve("journals"), folder.resolve("owners"));
      try (MachineLease lease =
          MachineLease.begin(
              Machine.at(clocks.root()), folders, "bench/rolecost", RoleCostBench::tell)) {
        NodeClocks nodeClocks = lease.clocks(cpus);
        tell("warmed up: " + measure(Way.POLL, nodeClocks, WARM_UP_MILLIS, 1));
        List<Way> order = new ArrayList<>(List.of(Way.values()));
        for (int round = 1; round <= rounds; round++) {
          Collections.shuffle(order, random);
          for (Way way : order) {
            Cost cost = measure(way, nodeClocks, SETTLE_MILLIS, seconds);
            tell(cost.toString());
            costs.add(cost);
          }
        }
      }
    } finally {
      clusters.forEach(LocalRedis::close);
    }
    report(costs);
  }

  private LocalRedis start(int cluster) {
    LocalRedis started =
        LocalRedis.start(
            LocalRedisConfig.builder()
                .nodes(LocalRedisConfig.MAX_NODES)
                .sentinels(cluster == 1 ? 3 : 0)
                .build());
    for (LocalRedisNode node : started.nodes()) {
      String name = "c" + cluster + node.name();
      CpuSet cpu = CpuSet.of(nodes.size());
      nodes.add(new RedisNode(name, node.address(), node.port()));
      managed.add(ManagedNode.of(name, cpu));
      cpus.put(name, cpu);
    }
    started.sentinels().stream()
        .map(one -> new RedisNode(one.name(), one.address(), one.port()))
        .forEach(sentinels::add);
    return started;
  }

  private Cost measure(Way way, NodeClocks clocks, long settleMillis, int seconds)
      throws InterruptedException {
    RoleMonitorConfig watched =
        RoleMonitorConfig.of(nodes).withTimes(way.pollNanos, STATUS_NANOS, SILENCE_NANOS);
    if (way == Way.EVENTS) {
      watched = watched.withSentinels(sentinels, LocalRedisConfig.MASTER_NAME);
    }
    ManagerConfig config =
        ManagerConfig.of(
            managed, new ConcertoPolicy(ClockLimits.defaults()), PStates.xeonSilver4114());
    try (PowerManager manager =
        PowerManager.start(
            config, clocks, Optional.empty(), RedisRoles.watch(watched, System::nanoTime))) {
      TimeUnit.MILLISECONDS.sleep(settleMillis);
      long cpu = manager.cpuNanos();
      long all = processNanos();
      long began = System.nanoTime();
      TimeUnit.SECONDS.sleep(seconds);
      double elapsed = System.nanoTime() - began;
      Cost cost =
          new Cost(
              way,
              100 * (manager.cpuNanos() - cpu) / elapsed,
              100 * (processNanos() - all) / elapsed);
      manager.problems().forEach(RoleCostBench::tell);
      return cost;
    }
  }

  private void report(List<Cost> costs) {
    MarkdownTable table =
        new MarkdownTable(
            "%d instances".formatted(nodes.size()),
            "rounds",
            "% of a core",
            "median",
            "target",
            "with compiler and collector, %",
            "J an hour");
    for (Way way : Way.values()) {
      List<Cost> mine = costs.stream().filter(cost -> cost.way() == way).toList();
      double[] shares = mine.stream().mapToDouble(Cost::threads).toArray();
      double[] all = mine.stream().mapToDouble(Cost::process).toArray();
      Statistics.Estimate estimate = Statistics.estimate(shares);
      table.add(
          way.words,
          String.valueOf(shares.length),
          interval(estimate),
          number(Statistics.spread(shares).median()),
          number(100 * way.target),
          interval(Statistics.estimate(all)),
          String.format(Locale.ROOT, "%.0f", estimate.mean() / 100 * CORE_WATTS * 3600));
    }
    System.out.println(table);
  }

  private static String interval(Statistics.Estimate estimate) {
    return number(estimate.mean())
        + (estimate.hasInterval()
            ? " [" + number(estimate.low()) + ", " + number(estimate.high()) + "]"
            : "");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static long processNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static void tell(String what) {
    System.out.println(what);
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
