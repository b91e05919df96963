package org.calando.store.cassandra.promise;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.calando.core.observe.ClientUse;
import org.calando.core.observe.PromiseFigure;
import org.calando.core.observe.PromiseFigure.Kind;
import org.calando.core.observe.PromiseFigures;
import org.calando.core.observe.Promised;
import org.calando.core.policy.Observation;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.Canary;
import org.calando.session.TableName;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.OffNodes;
import org.calando.store.cassandra.internal.Connector;
import org.calando.store.cassandra.internal.Refusals;
import org.calando.store.cassandra.promise.NodeTables.Latency;
import org.calando.store.cassandra.promise.NodeTables.Period;
import org.jspecify.annotations.Nullable;

/*
 * Columns of these virtual tables that end with _ms are seconds in Cassandra 4.0 to 5.0: the server takes microseconds
 * for nanoseconds (org.apache.cassandra.db.virtual.TableMetricTables).
 *
 * A node lives if it has answered now. One that is up for the driver and does not answer may live.
 */
/**
 * What Cassandra's nodes report of promises to its clients, by the virtual tables of {@code
 * system_views}; writes nothing but a canary, where that is allowed. Thread safe.
 */
public final class CassandraPromises implements PromiseFigures {
  /** What measures reads. */
  static final String READ_SOURCE = "coordinator_read_latency, last minutes";

  /** What measures writes. */
  static final String WRITE_SOURCE = "coordinator_write_latency, last minutes";

  /** Where canaries are. */
  static final String CANARY_TABLE = Canary.TABLE;

  private static final String REPLICAS = "live replicas by the token ring";
  private static final int PAGE = 5000;
  private static final Duration DEADLINE = Duration.ofSeconds(2);
  private static final double CANARIES_PER_SECOND = 10;

  private static final SimpleStatement READS = latencies("coordinator_read_latency");
  private static final SimpleStatement WRITES = latencies("coordinator_write_latency");
  private static final SimpleStatement APPLIED = latencies("local_write_latency");

  private final CqlSession driver;
  private final ClientUse clients;
  private final @Nullable Canary canary;
  private final ReadHistograms histograms;
  private final OffNodes offNodes;

  // Guarded by this.
  private final Lacking lacking = new Lacking(System.nanoTime());
  private Map<UUID, NodeTables> before = Map.of();

  private volatile Map<ConsistencyLevel, PromiseFigure> levels = Map.of();
  private volatile List<String> problems = List.of();

  private CassandraPromises(
      CqlSession driver,
      ClientUse clients,
      OffNodes offNodes,
      @Nullable Canary canary,
      ReadHistograms histograms) {
    this.driver = driver;
    this.offNodes = offNodes;
    this.histograms = histograms;
    this.clients = clients;
    this.canary = canary;
  }

  /** Whether a promise can be measured. */
  public static Means means(Promised promise, ClientUse clients) {
    return switch (promise) {
      case READ_P99 -> Means.by(READ_SOURCE);
      case COPIES -> Means.by(REPLICAS);
      case SURVIVE ->
          clients.reads().isPresent()
              ? Means.by(REPLICAS)
              : Means.none("say at what level clients read: clients: {reads: ONE}");
      case STALE -> stale(clients);
      case FRESH ->
          isStrong(clients)
              ? Means.by(WRITE_SOURCE)
              : Means.none(
                  "where reads may miss writes it is not known when they no longer do: declare"
                      + " levels that meet, as clients: {reads: QUORUM, writes: QUORUM}, or, with"
                      + " sessions: true, {reads: ONE, writes: ALL}; or remove it");
    };
  }

  private static Means stale(ClientUse clients) {
    if (clients.reads().isEmpty() || clients.writes().isEmpty()) {
      return Means.none(
          "say at what levels clients read and write: clients: {reads: ONE, writes: QUORUM}");
    }
    boolean lags = clients.propagationNanos().isPresent() || clients.canary().isPresent();
    return lags || isStrong(clients)
        ? Means.by(staleSource(clients))
        : Means.none(
            "allow a canary to measure how late replicas are, as clients: {canary: shop}, or say"
                + " it: clients: {propagation: 20ms}");
  }

  /** Whether declared levels meet however many replicas there are. */
  private static boolean isStrong(ClientUse clients) {
    if (clients.reads().isEmpty() || clients.writes().isEmpty()) {
      return false;
    }
    ConsistencyLevel reads = clients.reads().get();
    ConsistencyLevel writes = clients.writes().get();
    StaleBound bound = new StaleBound(clients);
    return reads == ConsistencyLevel.ALL
        || writes == ConsistencyLevel.ALL
        || List.of(3, 4, 5).stream()
            .allMatch(factor -> bound.isStrong(ReplicaPlacement.single(factor)));
  }

  /** Whether declared levels meet in one data centre alone: its writes, its reads. */
  private static boolean isWithinOne(ClientUse clients) {
    return clients.reads().filter(StaleBound::isLocal).isPresent()
        && clients.writes().filter(StaleBound::isLocal).isPresent();
  }

  /** What predicts stale reads. */
  static String staleSource(ClientUse clients) {
    if (isStrong(clients)) {
      return "levels that meet" + (isWithinOne(clients) ? " in a data centre" : "");
    }
    return "exact model, rates of tables, "
        + (clients.canary().isPresent() ? "canaries" : "declared propagation")
        + (clients.keys().isPresent() ? ", declared keys" : ", keys unknown");
  }

  /**
   * Connects, and begins to write canaries where they are allowed and needed; blocks.
   *
   * @param offNodes which nodes are off by order
   * @throws org.calando.core.CalandoException if the cluster cannot be reached, or a canary not
   *     begin
   */
  public static CassandraPromises connect(
      CassandraStoreConfig config, ClientUse clients, OffNodes offNodes) {
    CqlSession driver = Connector.connect(config, "/.*/");
    try {
      boolean needed = clients.canary().isPresent() && clients.writes().isPresent();
      Canary canary =
          needed
              ? Canary.builder(driver, clients.canary().orElseThrow())
                  .perSecond(CANARIES_PER_SECOND)
                  .writeLevel(clients.writes().orElseThrow())
                  .start()
              : null;
      return new CassandraPromises(
          driver, clients, offNodes, canary, new ReadHistograms(config.latencies()));
    } catch (RuntimeException | Error e) {
      Connector.close(driver);
      throw e;
    }
  }

  private static SimpleStatement latencies(String table) {
    return SimpleStatement.newInstance(
            "SELECT keyspace_name, table_name, count, p99th_ms FROM system_views." + table)
        .setConsistencyLevel(DefaultConsistencyLevel.ONE)
        .setPageSize(PAGE)
        .setIdempotent(false)
        .setTimeout(DEADLINE);
  }

  @Override
  public CompletionStage<Map<Promised, PromiseFigure>> ask() {
    Map<UUID, NodeTables> answers = new ConcurrentHashMap<>();
    Map<Node, String> failed = new ConcurrentHashMap<>();
    Optional<OffNodes.Away> away = offNodes.now();
    histograms.ask(System.nanoTime());
    Map<UUID, Node> nodes = driver.getMetadata().getNodes();
    return CompletableFuture.allOf(
            nodes.values().stream()
                .map(node -> ask(node, answers, failed))
                .toArray(CompletableFuture<?>[]::new))
        .thenApply(all -> figures(nodes, Map.copyOf(answers), failed, away));
  }

  private CompletableFuture<?> ask(
      Node node, Map<UUID, NodeTables> answers, Map<Node, String> failed) {
    UUID id = Objects.requireNonNull(node.getHostId());
    long asked = System.nanoTime();
    long life = node.getUpSinceMillis();
    CompletableFuture<Map<TableName, Latency>> reads = rows(READS, node);
    CompletableFuture<Map<TableName, Latency>> writes = rows(WRITES, node);
    CompletableFuture<Map<TableName, Latency>> applied = rows(APPLIED, node);
    return CompletableFuture.allOf(reads, writes, applied)
        .handle(
            (all, failure) -> {
              if (failure == null) {
                answers.put(
                    id, new NodeTables(life, asked, reads.join(), writes.join(), applied.join()));
              } else {
                failed.put(node, Refusals.brief(failure));
              }
              return null;
            });
  }

  private CompletableFuture<Map<TableName, Latency>> rows(SimpleStatement statement, Node node) {
    Map<TableName, Latency> rows = new HashMap<>();
    return driver
        .executeAsync(statement.setNode(node))
        .thenCompose(page -> rows(page, rows))
        .toCompletableFuture();
  }

  private static CompletionStage<Map<TableName, Latency>> rows(
      AsyncResultSet page, Map<TableName, Latency> rows) {
    for (Row row : page.currentPage()) {
      TableName table =
          new TableName(
              Objects.requireNonNullElse(row.getString(0), ""),
              Objects.requireNonNullElse(row.getString(1), ""));
      rows.put(table, new Latency(row.getLong(2), row.getDouble(3)));
    }
    return page.hasMorePages()
        ? page.fetchNextPage().thenCompose(next -> rows(next, rows))
        : CompletableFuture.completedFuture(rows);
  }

  private synchronized Map<Promised, PromiseFigure> figures(
      Map<UUID, Node> nodes,
      Map<UUID, NodeTables> now,
      Map<Node, String> failed,
      Optional<OffNodes.Away> away) {
    Set<String> resting = away.map(OffNodes.Away::resting).orElse(Set.of());
    Predicate<Node> rests = node -> offNodes.name(node).filter(resting::contains).isPresent();
    failed.keySet().removeIf(rests);
    List<String> why = new ArrayList<>();
    failed.forEach((node, cause) -> why.add(node.getEndPoint() + " does not answer: " + cause));
    long nowNanos = System.nanoTime();
    Set<String> seen =
        nodes.values().stream()
            .filter(node -> now.containsKey(node.getHostId()) || node.getState() == NodeState.UP)
            .flatMap(node -> offNodes.name(node).stream())
            .collect(Collectors.toSet());
    boolean mayLack = lacking.looked(nowNanos, away, seen, !failed.isEmpty());
    Period period = new Period(before, now);
    before = now;
    KeyspaceReplicas replicas = KeyspaceReplicas.of(driver, clients);
    Map<Promised, PromiseFigure> figures = new EnumMap<>(Promised.class);
    figures.putAll(replicas(replicas.margins(node -> life(node, now)), clients, !now.isEmpty()));
    boolean silent = failed.keySet().stream().anyMatch(node -> node.getState() != NodeState.DOWN);
    if (period.isWhole() && !silent) {
      TableFigures tables =
          new TableFigures(
              clients, period, replicas::placement, keyspace -> replicas.off(keyspace, rests));
      figures.putAll(tables.figures(lags(), mayLack));
      levels = tables.levels(lags(), mayLack);
    } else {
      levels = Map.of();
    }
    if (clients.keyspaces().isEmpty() && histograms.nodes() == nodes.size()) {
      // Of all reads of all nodes, whatever they read.
      histograms.figure(nowNanos).ifPresent(known -> figures.put(Promised.READ_P99, known));
    }
    problems = List.copyOf(why);
    return figures;
  }

  private Optional<PropagationLags> lags() {
    return canary == null ? Optional.empty() : canary.lags().map(Observation.Lags::sample);
  }

  /**
   * What lives.
   *
   * @param answered whether any node did; else it is not known whether the others are down, or
   *     nobody is reached from here
   */
  static Map<Promised, PromiseFigure> replicas(
      List<ReplicaMargin> margins, ClientUse clients, boolean answered) {
    Map<Promised, PromiseFigure> figures = new EnumMap<>(Promised.class);
    if (!answered) {
      return figures;
    }
    least(margins.stream().map(ReplicaMargin::live).toList())
        .ifPresent(range -> figures.put(Promised.COPIES, figure(range)));
    clients
        .reads()
        .flatMap(level -> least(margins.stream().map(each -> each.margin(level)).toList()))
        .ifPresent(range -> figures.put(Promised.SURVIVE, figure(range)));
    return figures;
  }

  private static ReplicaMargin.Life life(Node node, Map<UUID, NodeTables> now) {
    if (now.containsKey(node.getHostId())) {
      return ReplicaMargin.Life.LIVES;
    }
    return node.getState() == NodeState.DOWN ? ReplicaMargin.Life.AWAY : ReplicaMargin.Life.UNKNOWN;
  }

  private static Optional<ReplicaMargin.Range> least(List<ReplicaMargin.Range> ranges) {
    return ranges.stream().reduce(ReplicaMargin.Range::least);
  }

  private static PromiseFigure figure(ReplicaMargin.Range range) {
    return new PromiseFigure(range.low(), range.high(), Double.NaN, Kind.MEASURED, REPLICAS);
  }

  @Override
  public Map<ConsistencyLevel, PromiseFigure> levels() {
    return levels;
  }

  @Override
  public List<String> problems() {
    return problems;
  }

  @Override
  public void close() {
    if (canary != null) {
      canary.close();
    }
    Connector.close(driver);
  }
}
