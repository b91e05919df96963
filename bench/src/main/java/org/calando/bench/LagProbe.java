package org.calando.bench;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.calando.local.cassandra.LocalCassandra;

/*
 * A write at ONE goes through a node drawn at random; each other node is asked for its own copy, at ONE, until it has
 * it. A replica's lag is the age between the begin of the last read that missed the write and that of the first
 * that did not, from the acknowledgement's arrival on; the sample is that of the last replica.
 */
/**
 * How late the last replica of writes is on a local Cassandra whose nodes all hold every key, while
 * studies run on it: {@code LagProbe probe BLOCK FILE PER_SECOND SEED} adds a line of time and lag
 * for each write until it is ended; {@code LagProbe sum FOLDER FILE} writes the folder's {@code
 * lags.csv}, from the lines within each run.
 */
public final class LagProbe {
  private static final int KEYS = 200;
  private static final double LONGEST_SECONDS = 2;
  private static final long WARM_UP_MILLIS = 3000;
  private static final String TABLE = "calando_lag.writes";

  private final CqlSession session;
  private final List<Node> nodes;
  private final PreparedStatement write;
  private final PreparedStatement read;
  private final PrintWriter out;
  private final SplittableRandom random;
  private long version = System.currentTimeMillis();

  private LagProbe(CqlSession session, PrintWriter out, long seed) {
    this.session = session;
    this.out = out;
    this.random = new SplittableRandom(seed);
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS calando_lag WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', '"
            + LocalCassandra.DATA_CENTRE
            + "': 3}");
    session.execute(
        "CREATE TABLE IF NOT EXISTS "
            + TABLE
            + " (k int PRIMARY KEY, v bigint) WITH read_repair = 'NONE'"
            + " AND speculative_retry = 'NEVER' AND additional_write_policy = 'NEVER'");
    write = session.prepare("INSERT INTO " + TABLE + " (k, v) VALUES (?, ?)");
    read = session.prepare("SELECT v FROM " + TABLE + " WHERE k = ?");
    nodes = new ArrayList<>(session.getMetadata().getNodes().values());
  }

  /** Probes, or sums up. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments.length == 5 && arguments[0].equals("probe")) {
      probe(arguments);
    } else if (arguments.length == 3 && arguments[0].equals("sum")) {
      sum(Path.of(arguments[1]), Path.of(arguments[2]));
    } else {
      System.err.println("LagProbe probe BLOCK FILE PER_SECOND SEED | sum FOLDER FILE");
      System.exit(2);
    }
  }

  private static void probe(String... arguments) throws IOException, InterruptedException {
    double perSecond = Double.parseDouble(arguments[3]);
    try (PrintWriter out =
        new PrintWriter(
            Files.newBufferedWriter(
                Path.of(arguments[2]), StandardOpenOption.CREATE, StandardOpenOption.APPEND),
            true)) {
      // A study's cluster comes up after its begin.
      while (true) {
        try (CqlSession session = connect(arguments[1])) {
          new LagProbe(session, out, Long.parseLong(arguments[4])).run(perSecond);
        } catch (com.datastax.oss.driver.api.core.DriverException e) {
          TimeUnit.SECONDS.sleep(1);
        }
      }
    }
  }

  private static CqlSession connect(String block) {
    return CqlSession.builder()
        .addContactPoint(new InetSocketAddress(block + ".0.1", 9042))
        .withLocalDatacenter(LocalCassandra.DATA_CENTRE)
        .build();
  }

  private void run(double perSecond) throws InterruptedException {
    while (true) {
      double gap = -Math.log1p(-random.nextDouble()) / perSecond;
      TimeUnit.NANOSECONDS.sleep((long) (gap * 1e9));
      int key = random.nextInt(KEYS);
      long written = ++version;
      Node through = nodes.get(random.nextInt(nodes.size()));
      var unused =
          session
              .executeAsync(
                  write
                      .bind(key, written)
                      .setNode(through)
                      .setConsistencyLevel(ConsistencyLevel.ONE))
              .thenAccept(ack -> look(key, written, through));
    }
  }

  private void look(int key, long written, Node through) {
    long ackNanos = System.nanoTime();
    long ackMillis = System.currentTimeMillis();
    AtomicInteger left = new AtomicInteger(nodes.size() - 1);
    AtomicLong last = new AtomicLong();
    for (Node node : nodes) {
      if (!node.equals(through)) {
        var unused =
            poll(node, key, written, ackNanos, 0)
                .thenAccept(
                    lag -> {
                      last.accumulateAndGet(lag, Math::max);
                      if (left.decrementAndGet() == 0) {
                        out.printf(Locale.ROOT, "%d,%.3f%n", ackMillis, last.get() / 1e6);
                      }
                    });
      }
    }
  }

  private CompletableFuture<Long> poll(
      Node node, int key, long written, long ackNanos, long missedNanos) {
    long age = System.nanoTime() - ackNanos;
    if (age > LONGEST_SECONDS * 1e9) {
      return CompletableFuture.completedFuture(age);
    }
    return session
        .executeAsync(read.bind(key).setNode(node).setConsistencyLevel(ConsistencyLevel.ONE))
        .toCompletableFuture()
        .handle((found, failure) -> failure == null && has(found, written))
        .thenCompose(
            has -> {
              if (has) {
                return CompletableFuture.completedFuture(
                    missedNanos == 0 ? 0 : (missedNanos + age) / 2);
              }
              // Finer than an eighth of the lag costs more requests than it tells.
              long wait = Math.max(500_000, age / 8);
              return CompletableFuture.supplyAsync(
                      () -> true, CompletableFuture.delayedExecutor(wait, TimeUnit.NANOSECONDS))
                  .thenCompose(waited -> poll(node, key, written, ackNanos, Math.max(1, age)));
            });
  }

  private static boolean has(AsyncResultSet found, long written) {
    Row row = found.one();
    return row != null && row.getLong("v") >= written;
  }

  private static void sum(Path folder, Path samples) throws IOException {
    List<String> lines = Files.exists(samples) ? Files.readAllLines(samples) : List.of();
    List<String> table = new ArrayList<>(List.of("run,samples,mean_ms,p99_ms"));
    try (Stream<Path> runs = Files.list(folder.resolve("runs"))) {
      for (Path run : runs.sorted().toList()) {
        Path summary = run.resolve("summary.json");
        if (Files.exists(summary)) {
          String text = Files.readString(summary);
          long from = millis(text, "started") + WARM_UP_MILLIS;
          long to = millis(text, "finished");
          double[] lags =
              lines.stream()
                  .map(line -> line.split(",", -1))
                  .filter(cells -> cells.length == 2)
                  .filter(cells -> Long.parseLong(cells[0]) >= from)
                  .filter(cells -> Long.parseLong(cells[0]) < to)
                  .mapToDouble(cells -> Double.parseDouble(cells[1]))
                  .sorted()
                  .toArray();
          if (lags.length > 0) {
            table.add(
                String.format(
                    Locale.ROOT,
                    "%s,%d,%.3f,%.3f",
                    run.getFileName(),
                    lags.length,
                    Arrays.stream(lags).average().orElse(Double.NaN),
                    lags[(int) Math.ceil(0.99 * lags.length) - 1]));
          }
        }
      }
    }
    Files.write(folder.resolve("lags.csv"), table);
    System.out.println(folder.resolve("lags.csv") + ": " + (table.size() - 1) + " runs");
  }

  private static long millis(String summary, String key) {
    Matcher matcher = Pattern.compile("\"" + key + "\"\\s*:\\s*\"([^\"]+)\"").matcher(summary);
    if (!matcher.find()) {
      throw new IllegalArgumentException("a summary without " + key);
    }
    return Instant.parse(matcher.group(1)).toEpochMilli();
  }
}
