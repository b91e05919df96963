package org.calando.bench;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.StaticPolicy;
import org.calando.core.store.ConsistencyLevel;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.session.AdaptiveSession;
import org.calando.session.TableName;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/*
 * The statements are real ones, prepared by a real node, and the adaptive session observes that node
 * meanwhile as it always does. Reads get another level than the session's own, so that each is
 * copied: the dearer case.
 */
/** What an adaptive session adds to a request before the driver has it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgs = "-Xmx512m")
public class SessionBenchmark {
  private static final int KEYS = 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  // Made by the set-up.
  private @Nullable BenchNode node;
  private @Nullable AtOnceSession bare;
  private @Nullable AdaptiveSession adaptive;
  private BoundStatement[] reads = {};
  private BoundStatement[] writes = {};
  private int turn;

  /** Starts the node, and waits until the adaptive session has decided. */
  @Setup(Level.Trial)
  public void start() throws InterruptedException {
    BenchNode started = BenchNode.start();
    node = started;
    CqlSession driver =
        CqlSession.builder()
            .addContactPoint(started.address())
            .withLocalDatacenter(LocalCassandra.DATA_CENTRE)
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withString(
                        DefaultDriverOption.REQUEST_CONSISTENCY,
                        ConsistencyLevel.LOCAL_QUORUM.name())
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
                    .build())
            .build();
    driver.execute(
        "CREATE KEYSPACE bench WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'replication_factor': 1}");
    driver.execute("CREATE TABLE bench.t (id bigint PRIMARY KEY, v text)");
    PreparedStatement read = driver.prepare("SELECT v FROM bench.t WHERE id = ?");
    PreparedStatement write = driver.prepare("INSERT INTO bench.t (id, v) VALUES (?, ?)");
    String value = "v".repeat(100);
    reads = LongStream.range(0, KEYS).mapToObj(read::bind).toArray(BoundStatement[]::new);
    writes =
        LongStream.range(0, KEYS)
            .mapToObj(key -> write.bind(key, value))
            .toArray(BoundStatement[]::new);
    AtOnceSession stub = new AtOnceSession(driver);
    stub.answerAtOnce(Set.of(read, write));
    bare = stub;
    AdaptiveSession wrapped =
        AdaptiveSession.wrap(stub)
            .tolerate("bench.t", 0.05)
            .monitorDeadline(PATIENCE)
            .policy((table, share, safe, local) -> new StaticPolicy(ReadChoice.of(1)))
            .build();
    adaptive = wrapped;
    awaitDecision(wrapped);
  }

  private static void awaitDecision(AdaptiveSession session) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!session
        .inUse(new TableName("bench", "t"))
        .orElseThrow()
        .reasons()
        .toString()
        .contains("static")) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("no decision");
      }
      Thread.sleep(50);
    }
  }

  @TearDown(Level.Trial)
  public void stop() {
    if (adaptive != null) {
      adaptive.close();
    }
    if (node != null) {
      node.close();
    }
  }

  private static @Nullable ResultSet send(@Nullable CqlSession session, BoundStatement statement) {
    return session == null ? null : session.execute(statement, Statement.SYNC);
  }

  private BoundStatement next(BoundStatement[] statements) {
    turn = (turn + 1) & (KEYS - 1);
    return statements[turn];
  }

  /** A read without us. */
  @Benchmark
  public @Nullable ResultSet bareRead() {
    return send(bare, next(reads));
  }

  /** A read with us. */
  @Benchmark
  public @Nullable ResultSet adaptiveRead() {
    return send(adaptive, next(reads));
  }

  /** A write without us. */
  @Benchmark
  public @Nullable ResultSet bareWrite() {
    return send(bare, next(writes));
  }

  /** A write with us. */
  @Benchmark
  public @Nullable ResultSet adaptiveWrite() {
    return send(adaptive, next(writes));
  }
}
