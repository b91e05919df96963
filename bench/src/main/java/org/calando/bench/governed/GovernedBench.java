package org.calando.bench.governed;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.calando.core.policy.ReadChoice;
import org.calando.engine.cassandra.LocalClusters;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.cassandra.LocalNode;
import org.calando.local.relay.LinkDelays;
import org.calando.session.AdaptiveSession;
import org.calando.session.LevelInUse;
import org.calando.session.TableName;

/*
 *   cost    requests that the nodes got of all connections, less the load's own: one session alone, and many that are governed
 *   push    links become slower, so that levels change: from when the first session has a level to when the last one has it or a later one
 *   kill    at 80 % of what the sessions do in a burst the governor is killed: reads before and behind it
 *
 * The sessions share one driver, and so few connections: what is counted is Calando's.
 */
/**
 * What governed sessions cost, how fast a level reaches them, and what they do when the governor is
 * killed, on a real local cluster of three nodes.
 *
 * <p>{@code GovernedBench FOLDER [SESSIONS [SECONDS]]}: in the project's folder; default 100 and
 * 60.
 */
public final class GovernedBench {
  private static final TableName TABLE = TableName.parse("shop.orders");
  private static final double TOLERATED = 0.05;
  private static final double LIGHT = 100;
  private static final int FAR_MILLIS = 400;

  /** Links change less often. */
  private static final long WAVE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final String BY_GOVERNOR = "decided by the governor";

  private final Path folder;
  private final int count;
  private final int seconds;
  private final LocalCassandra cluster;
  private final CqlSession driver;
  private final URI governor;
  private final Path file;

  private GovernedBench(Path folder, int count, int seconds) throws IOException {
    this.folder = folder;
    this.count = count;
    this.seconds = seconds;
    this.cluster =
        LocalCassandra.start(
            LocalCassandraConfig.builder()
                .nodes(3)
                .racks(3)
                .heapMebibytes(256)
                .block("127.93")
                .startTimeout(Duration.ofMinutes(5))
                .linkDelays(delays(1))
                .build());
    this.driver = connect();
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    this.governor = URI.create("http://127.0.0.1:" + port + "/api/v1/clusters/shop");
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("inventory.yaml"), LocalClusters.inventory(cluster));
    this.file =
        Files.writeString(
            folder.resolve("govern.yaml"),
            """
            clusters:
              - {name: shop, engine: cassandra, inventory: inventory.yaml, rf: 3, sessions: true}
            listen: 127.0.0.1:%d
            """
                .formatted(port));
  }

  /** Runs and prints. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path folder = Path.of(arguments[0]).toAbsolutePath();
    int count = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100;
    int seconds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 60;
    GovernedBench bench = new GovernedBench(folder, count, seconds);
    try {
      bench.run();
    } finally {
      bench.driver.close();
      bench.cluster.close();
    }
  }

  private static LinkDelays delays(int millis) {
    Duration near = Duration.ofMillis(1);
    Duration far = Duration.ofMillis(millis);
    return LinkDelays.matrix(
        List.of(List.of(near, near, far), List.of(near, near, far), List.of(far, far, near)));
  }

  private CqlSession connect() {
    CqlSessionBuilder builder =
        CqlSession.builder()
            .withLocalDatacenter(LocalCassandra.DATA_CENTRE)
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(10))
                    .withInt(DefaultDriverOption.CONNECTION_MAX_REQUESTS, 8192)
                    .build());
    for (LocalNode node : cluster.nodes()) {
      builder.addContactPoint(new InetSocketAddress(node.address(), node.cqlPort()));
    }
    return builder.build();
  }

  private void run() throws IOException, InterruptedException {
    driver.execute(
        "CREATE KEYSPACE shop WITH replication = {'class': 'NetworkTopologyStrategy', '%s': 3}"
            .formatted(LocalCassandra.DATA_CENTRE));
    driver.execute("CREATE TABLE shop.orders (id bigint PRIMARY KEY, v bigint)");
    double alone = alone();
    Process process = govern();
    List<AdaptiveSession> sessions = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sessions.add(wrap(Optional.of(governor)));
      }
      try (GovernedLoad light = new GovernedLoad(sessions, TABLE.toString(), LIGHT)) {
        light.start();
        awaitGoverned(sessions);
        double governed = cost(light);
        print(
            "requests a second beside the load: one session %.1f, %d governed %.1f, ratio %.2f",
            alone, count, governed, governed / alone);
      }
      try (GovernedLoad hot =
          new GovernedLoad(sessions, TABLE.toString(), LIGHT, GovernedLoad.HOT_KEYS)) {
        hot.start();
        push(sessions);
      }
      kill(sessions, process);
    } finally {
      process.destroyForcibly();
      process.waitFor(30, TimeUnit.SECONDS);
    }
  }

  private AdaptiveSession wrap(Optional<URI> by) {
    var builder =
        AdaptiveSession.wrap(driver)
            .tolerate(TABLE.toString(), TOLERATED)
            .startWithin(Duration.ofSeconds(60));
    by.ifPresent(builder::governedBy);
    return builder.build();
  }

  /** Its driver stays open: what it measured with ends with the process. */
  private double alone() throws InterruptedException {
    AdaptiveSession one =
        AdaptiveSession.wrap(connect())
            .tolerate(TABLE.toString(), TOLERATED)
            .startWithin(Duration.ofSeconds(60))
            .build();
    try (one;
        GovernedLoad light = new GovernedLoad(List.of(one), TABLE.toString(), LIGHT)) {
      light.start();
      Thread.sleep(20_000);
      return cost(light);
    }
  }

  private double cost(GovernedLoad load) throws InterruptedException {
    long requests = requests();
    long own = load.operations();
    long begun = System.nanoTime();
    Thread.sleep(1000L * seconds);
    long more = requests() - requests - (load.operations() - own);
    return more / ((System.nanoTime() - begun) / 1e9);
  }

  /** Of all connections that are open. */
  private long requests() {
    long requests = 0;
    for (Node node : driver.getMetadata().getNodes().values()) {
      requests +=
          driver
              .execute(
                  SimpleStatement.newInstance("SELECT request_count FROM system_views.clients")
                      .setConsistencyLevel(DefaultConsistencyLevel.ONE)
                      .setNode(node))
              .all()
              .stream()
              .mapToLong(row -> row.getLong(0))
              .sum();
    }
    return requests;
  }

  private Process govern() throws IOException {
    ProcessBuilder command =
        new ProcessBuilder(
            System.getProperty("calando.command", "./calando"), "govern", file.toString());
    command.environment().put("CALANDO_STATE", folder.resolve("state").toString());
    command.environment().put("CALANDO_RUN", folder.resolve("run").toString());
    return command
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("govern.log").toFile())
        .start();
  }

  private static LevelInUse inUse(AdaptiveSession session) {
    return session.inUse(TABLE).orElseThrow();
  }

  private static boolean isGoverned(AdaptiveSession session) {
    return inUse(session).reasons().contains(BY_GOVERNOR);
  }

  private static void awaitGoverned(List<AdaptiveSession> sessions) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
    while (!sessions.stream().allMatch(GovernedBench::isGoverned)) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("not governed: " + inUse(sessions.get(0)));
      }
      Thread.sleep(100);
    }
    Thread.sleep(10_000);
  }

  private void push(List<AdaptiveSession> sessions) throws InterruptedException {
    Map<ReadChoice, Long> first = new HashMap<>();
    int pushed = 0;
    long longest = 0;
    List<ReadChoice> seen = new ArrayList<>();
    sessions.forEach(each -> seen.add(inUse(each).choice()));
    long begun = System.nanoTime();
    long length = TimeUnit.SECONDS.toNanos(seconds);
    for (int steps = 0; System.nanoTime() - begun < 3 * length; ) {
      // Canaries have to see it first.
      if (System.nanoTime() - begun >= steps * length / 2) {
        cluster.linkDelays(delays(steps++ % 2 == 0 ? FAR_MILLIS : 1));
      }
      for (int i = 0; i < count; i++) {
        ReadChoice now = inUse(sessions.get(i)).choice();
        if (!now.equals(seen.get(i))) {
          long at = System.nanoTime();
          seen.set(i, now);
          Long begin = first.get(now);
          if (begin == null || at - begin > WAVE_NANOS) {
            // The same level again is another push.
            first.put(now, at);
            pushed++;
          } else {
            longest = Math.max(longest, at - begin);
          }
        }
      }
      Thread.sleep(5);
    }
    cluster.linkDelays(delays(1));
    print("%d levels pushed; the slowest reached all in %.0f ms", pushed, longest / 1e6);
  }

  private void kill(List<AdaptiveSession> sessions, Process process)
      throws IOException, InterruptedException {
    Thread.sleep(20_000);
    double most = capacity(sessions);
    try (GovernedLoad load = new GovernedLoad(sessions, TABLE.toString(), 0.8 * most)) {
      load.start();
      Thread.sleep(10_000);
      load.take();
      Thread.sleep(1000L * seconds);
      report("before", load.take(), sessions);
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      for (int i = 1; i <= 4; i++) {
        Thread.sleep(1000L * seconds / 2);
        report("killed, part " + i, load.take(), sessions);
      }
      Process next = govern();
      try {
        awaitGoverned(sessions);
        load.take();
        Thread.sleep(1000L * seconds / 2);
        report("governed again", load.take(), sessions);
      } catch (IllegalStateException e) {
        print("%s", String.valueOf(e.getMessage()));
      } finally {
        next.destroyForcibly();
      }
    }
  }

  /** The rate from which on reads take ten times as long as at a light load. */
  private double capacity(List<AdaptiveSession> sessions) throws InterruptedException {
    double light = p99(sessions, LIGHT);
    double rate = 2 * LIGHT;
    while (rate < 100_000 && p99(sessions, rate) < Math.max(50, 4 * light)) {
      rate *= 1.25;
    }
    print("p99 grows from %.1f ms beyond %.0f operations a second", light, rate / 1.25);
    Thread.sleep(20_000);
    return rate / 1.25;
  }

  private static double p99(List<AdaptiveSession> sessions, double rate)
      throws InterruptedException {
    try (GovernedLoad load = new GovernedLoad(sessions, TABLE.toString(), rate)) {
      load.start();
      Thread.sleep(3_000);
      load.take();
      Thread.sleep(5_000);
      return load.take().p99Millis();
    }
  }

  private static void report(
      String when, GovernedLoad.Result result, List<AdaptiveSession> sessions) {
    double replicas =
        sessions.stream().mapToDouble(each -> inUse(each).choice().mean()).average().orElse(0);
    long governed = sessions.stream().filter(GovernedBench::isGoverned).count();
    print(
        "%s: %d reads, %d failed, p50 %.1f ms, p99 %.1f ms, stale %.2f %% of %.0f %% tolerated,"
            + " %.2f replicas a read, %d governed",
        when,
        result.reads(),
        result.failed(),
        result.p50Millis(),
        result.p99Millis(),
        100.0 * result.stale() / Math.max(1, result.reads()),
        100 * TOLERATED,
        replicas,
        governed);
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
