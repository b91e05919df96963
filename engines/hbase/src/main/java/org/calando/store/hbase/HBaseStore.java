package org.calando.store.hbase;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.CompactionState;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.store.KeyValueStore;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.store.TableSpec;
import org.calando.core.store.WriteBuffering;
import org.calando.store.hbase.internal.ClusterLook;
import org.calando.store.hbase.internal.Connector;
import org.calando.store.hbase.internal.HBaseSession;
import org.calando.store.hbase.internal.OwnTable;
import org.calando.store.hbase.internal.Waits;
import org.jspecify.annotations.Nullable;

/**
 * A table of Calando's own in an HBase cluster. Not thread safe, except that sessions may be used
 * while the store is.
 *
 * <p>A row is on one server, which orders its writes by their versions: levels of reads and writes
 * say nothing here. A strong write is acknowledged when it is in the log of as many DataNodes as
 * the log has copies; a deferred one when it is in this process's buffer, see {@link
 * WriteBuffering}.
 */
public final class HBaseStore implements KeyValueStore {
  private static final Duration ADMIN_TIMEOUT = Duration.ofSeconds(60);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final HBaseStoreConfig config;
  private final AsyncConnection connection;
  private final AsyncAdmin admin;
  private final Waits waits;
  private final LongSupplier clock;
  private @Nullable TableSpec spec;
  private @Nullable OwnTable table;
  private Set<String> servers = Set.of();

  /** The RegionServers at the begin, if they have to stay the same. */
  private final Set<String> places;

  private HBaseStore(HBaseStoreConfig config, AsyncConnection connection, LongSupplier clock) {
    this.config = config;
    this.connection = connection;
    this.clock = clock;
    waits = new Waits(ADMIN_TIMEOUT, String.join(",", config.quorum()));
    admin =
        connection
            .getAdminBuilder()
            .setOperationTimeout(ADMIN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
            .setRpcTimeout(20, TimeUnit.SECONDS)
            .build();
    places = config.sameServers() ? places(servers()) : Set.of();
  }

  /**
   * Connects to the cluster; blocks until its master answers.
   *
   * @throws FailedWorkException if ZooKeeper or the master does not answer
   */
  public static HBaseStore connect(HBaseStoreConfig config) {
    AsyncConnection connection = Connector.connect(config);
    try {
      return new HBaseStore(config, connection, System::nanoTime);
    } catch (RuntimeException | Error e) {
      Connector.close(connection);
      throw e;
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>It is dropped and made anew, with as many regions as configured, which are not split.
   *
   * @throws FailedWorkException also if other RegionServers live than when it was connected, where
   *     that is configured
   */
  @Override
  public void prepare(TableSpec newSpec) {
    OwnTable own = own(newSpec.name());
    requireSamePlaces();
    own.prepare();
    servers = servers();
    spec = newSpec;
    table = own;
  }

  /**
   * Uses a table that another store of ours has prepared, as it is: several processes may load one
   * table.
   *
   * @throws BadRequestException if Calando did not make it
   */
  public void join(TableSpec newSpec) {
    OwnTable own = own(newSpec.name());
    own.join();
    servers = servers();
    spec = newSpec;
    table = own;
  }

  private OwnTable own(String named) {
    if (!HBaseStoreConfig.isName(named)) {
      throw new BadRequestException(
          "'" + named + "' cannot be a table's name here",
          "table",
          "use lower-case letters, digits and underscores, a letter first, at most 48");
    }
    TableName name = TableName.valueOf(config.namespace(), named);
    return new OwnTable(admin, waits, name, config.regions());
  }

  /**
   * {@inheritDoc}
   *
   * <p>Each slot is a client with a buffer of its own, unless all share one. The session offers
   * {@link org.calando.core.store.BufferedWrites}.
   */
  @Override
  public Session open(SessionRequest request) {
    request.requireReadsFromAny("HBase");
    if (spec == null || table == null) {
      throw new IllegalStateException("no table is prepared");
    }
    return new HBaseSession(connection, table.name(), spec, request, config, clock);
  }

  /**
   * {@inheritDoc}
   *
   * <p>That is: until all regions of the table are open, and none is compacted.
   */
  @Override
  public void settle(Duration deadline) {
    OwnTable own = table;
    if (own == null) {
      return;
    }
    long end = clock.getAsLong() + deadline.toNanos();
    while (!isAtRest(own.name())) {
      if (clock.getAsLong() - end >= 0) {
        throw new FailedWorkException(
            "the table is still compacted, or regions are not open, after "
                + deadline.toSeconds()
                + " s",
            own.name().getNameAsString(),
            "wait, and see the RegionServers' logs");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private boolean isAtRest(TableName name) {
    return waits.get(admin.isTableAvailable(name), "asking for the table " + name)
        && waits.get(admin.getCompactionState(name), "asking for compactions of " + name)
            == CompactionState.NONE;
  }

  /**
   * {@inheritDoc}
   *
   * <p>That is so if no other process has made the table anew, and, where that is configured, no
   * RegionServer has ended or come since.
   */
  @Override
  public void requireHeld() {
    if (table == null) {
      throw new IllegalStateException("no table is prepared");
    }
    table.requireHeld();
    if (config.sameServers()) {
      requireSameServers();
    }
  }

  /** One that was started again meanwhile is as good; one that nobody looked at is not. */
  private void requireSamePlaces() {
    if (!config.sameServers()) {
      return;
    }
    Set<String> now = places(servers());
    if (!now.equals(places)) {
      throw new FailedWorkException(
          "other RegionServers live than at the begin: " + now + ", not " + places,
          String.join(",", config.quorum()),
          "start those that ended, stop those that came, and go on with --resume");
    }
  }

  private static Set<String> places(Set<String> starts) {
    return starts.stream()
        .map(start -> start.substring(0, start.lastIndexOf(',')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void requireSameServers() {
    Set<String> now = servers();
    Set<String> gone = new TreeSet<>(servers);
    gone.removeAll(now);
    Set<String> come = new TreeSet<>(now);
    come.removeAll(servers);
    if (!gone.isEmpty() || !come.isEmpty()) {
      throw new FailedWorkException(
          "RegionServers changed meanwhile: ended " + gone + ", begun " + come,
          String.join(",", config.quorum()),
          "let all of them run on while one measures");
    }
  }

  /** Those that live, each start of one by a name of its own. */
  private Set<String> servers() {
    return ClusterLook.starts(clusterMetrics());
  }

  private ClusterMetrics clusterMetrics() {
    return waits.get(
        admin.getClusterMetrics(ClusterLook.options()), "asking for the cluster's state");
  }

  @Override
  public String engine() {
    return "hbase " + cluster().version();
  }

  /** What the master tells of the cluster now. */
  public HBaseClusterState cluster() {
    return ClusterLook.of(clusterMetrics());
  }

  /** Whose a table is. */
  public enum Ownership {
    /** There is none of the name. */
    ABSENT,
    /** Calando made it, and may drop it. */
    OURS,
    /** Somebody else made it. */
    FOREIGN,
    /** Somebody else made the namespace that it is in, or would be. */
    FOREIGN_NAMESPACE
  }

  /**
   * Whose the table of a name is; only asks.
   *
   * @throws BadRequestException if the name cannot be a table's here
   */
  public Ownership ownership(String table) {
    OwnTable own = own(table);
    if (own.isInForeignNamespace()) {
      return Ownership.FOREIGN_NAMESPACE;
    }
    if (!own.exists()) {
      return Ownership.ABSENT;
    }
    return own.isMarked() ? Ownership.OURS : Ownership.FOREIGN;
  }

  /** The connection itself, for tests and benchmarks of the plain client. */
  public AsyncConnection connection() {
    return connection;
  }

  @Override
  public void close() {
    Connector.close(connection);
  }
}
