package org.calando.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.calando.core.observe.ClientRequests;
import org.calando.store.cassandra.internal.Connector;
import org.calando.store.cassandra.internal.Refusals;

/*
 * A coordinator counts each read, each range of partitions and each write once, whatever its level; a batch is one
 * write however many rows it has, and a conditional write is none (org.apache.cassandra.db.virtual.TableMetricTables).
 */
/**
 * What clients ask of each node as their coordinator, of all tables but the server's own, by the
 * virtual tables of {@code system_views}. Calando's own requests are among them, but for a
 * governor's claim. Thread safe.
 */
public final class CassandraRequests implements ClientRequests {
  /** A life of its own: that of nodes that are off by order. */
  private static final long NONE = 0;

  private static final Duration DEADLINE = Duration.ofSeconds(2);
  private static final int PAGE = 5000;
  private static final SimpleStatement READS = counts("coordinator_read_latency");
  private static final SimpleStatement SCANS = counts("coordinator_scan_latency");
  private static final SimpleStatement WRITES = counts("coordinator_write_latency");

  private final CqlSession driver;
  private final OffNodes nodes;
  private final Map<String, String> problems = new ConcurrentHashMap<>();

  CassandraRequests(CqlSession driver, OffNodes nodes) {
    this.driver = driver;
    this.nodes = nodes;
  }

  /**
   * Connects; blocks.
   *
   * @throws org.calando.core.CalandoException if the cluster cannot be reached
   */
  public static CassandraRequests connect(CassandraStoreConfig config, OffNodes nodes) {
    return new CassandraRequests(Connector.connect(config), nodes);
  }

  private static SimpleStatement counts(String table) {
    return SimpleStatement.newInstance("SELECT keyspace_name, count FROM system_views." + table)
        .setConsistencyLevel(DefaultConsistencyLevel.ONE)
        .setPageSize(PAGE)
        .setIdempotent(false)
        .setTimeout(DEADLINE);
  }

  @Override
  public CompletionStage<Counts> ask() {
    // Where it cannot be read which are off, those that do not answer are not known.
    Set<String> resting = nodes.now().map(OffNodes.Away::off).orElse(Set.of());
    Map<String, Count> counts = new ConcurrentHashMap<>();
    Map<String, String> failed = new ConcurrentHashMap<>();
    Map<String, Node> there = new TreeMap<>();
    for (Node node : driver.getMetadata().getNodes().values()) {
      nodes.name(node).ifPresent(name -> there.put(name, node));
    }
    for (String name : nodes.names().values()) {
      if (!there.containsKey(name)) {
        problems.put(name, "is no node of this cluster");
      }
    }
    return CompletableFuture.allOf(
            there.entrySet().stream()
                .map(node -> ask(node.getKey(), node.getValue(), counts, failed))
                .toArray(CompletableFuture<?>[]::new))
        .thenApply(all -> counts(counts, failed, resting));
  }

  /** A node that is off by order answers nothing, and that is known. */
  private Counts counts(
      Map<String, Count> counts, Map<String, String> failed, Set<String> resting) {
    long now = System.nanoTime();
    for (String name : resting) {
      if (counts.putIfAbsent(name, new Count(NONE, now, 0, 0)) == null) {
        problems.remove(name);
      }
    }
    // Not before it is known which rest: whoever asks meanwhile would hear of trouble that is none.
    failed.forEach(
        (name, why) -> {
          if (!resting.contains(name)) {
            problems.put(name, why);
          }
        });
    return Counts.of(counts);
  }

  private CompletableFuture<?> ask(
      String name, Node node, Map<String, Count> counts, Map<String, String> failed) {
    long asked = System.nanoTime();
    long life = node.getUpSinceMillis();
    CompletableFuture<Long> reads = sum(READS, node);
    CompletableFuture<Long> scans = sum(SCANS, node);
    CompletableFuture<Long> writes = sum(WRITES, node);
    return CompletableFuture.allOf(reads, scans, writes)
        .handle(
            (all, failure) -> {
              if (failure != null) {
                failed.put(name, "does not answer: " + Refusals.brief(failure));
                return null;
              }
              problems.remove(name);
              long now = System.nanoTime();
              counts.put(
                  name,
                  new Count(
                      life, asked + (now - asked) / 2, reads.join() + scans.join(), writes.join()));
              return null;
            });
  }

  private CompletableFuture<Long> sum(SimpleStatement counts, Node node) {
    return driver
        .executeAsync(counts.setNode(node))
        .thenCompose(CassandraRequests::sum)
        .toCompletableFuture();
  }

  private static CompletionStage<Long> sum(AsyncResultSet page) {
    long here = 0;
    for (Row row : page.currentPage()) {
      String keyspace = Objects.requireNonNullElse(row.getString(0), "");
      here += isOfTheServer(keyspace) ? 0 : row.getLong(1);
    }
    long sum = here;
    return page.hasMorePages()
        ? page.fetchNextPage().thenCompose(CassandraRequests::sum).thenApply(rest -> sum + rest)
        : CompletableFuture.completedFuture(sum);
  }

  /** The claim of a governor is no client's work: its conditional writes are counted as reads. */
  private static boolean isOfTheServer(String keyspace) {
    return keyspace.equals("system")
        || keyspace.startsWith("system_")
        || keyspace.equals(CassandraGovernor.KEYSPACE);
  }

  @Override
  public List<String> problems() {
    return problems.entrySet().stream()
        .map(each -> each.getKey() + " " + each.getValue())
        .sorted()
        .toList();
  }

  @Override
  public void close() {
    Connector.close(driver);
  }
}
