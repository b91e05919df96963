package org.calando.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.store.KeyValueStore;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.store.TableSpec;
import org.calando.store.cassandra.internal.CassandraSession;
import org.calando.store.cassandra.internal.Connector;
import org.calando.store.cassandra.internal.OwnTable;
import org.calando.store.cassandra.internal.Settling;
import org.jspecify.annotations.Nullable;

/**
 * One table of Calando's own in an Apache Cassandra cluster, through one driver session. Not thread
 * safe, except that sessions may be used while the store is.
 *
 * <p>One operation is one request: the driver neither retries nor speculates, and the table has
 * read repair, speculative retry and extra write copies switched off. Requests go to a replica of
 * the key chosen at random; at level ONE it reads its own copy.
 */
public final class CassandraStore implements KeyValueStore {
  private final CassandraStoreConfig config;
  private final CqlSession driver;
  private final Settling settling;
  private final OwnTable own;
  private @Nullable TableSpec table;

  private CassandraStore(CassandraStoreConfig config, CqlSession driver, Settling settling) {
    this.config = config;
    this.driver = driver;
    this.settling = settling;
    this.own = new OwnTable(driver, config.keyspace(), config.replication());
  }

  /**
   * Connects to the cluster; blocks.
   *
   * @throws org.calando.core.FailedWorkException if no contact point answers, the user is refused,
   *     TLS fails, or a JMX endpoint that is given does not answer
   * @throws BadRequestException if a host or a data centre does not exist, a file of keys or
   *     certificates cannot be used, or the user may not see whether nodes have work left
   */
  public static CassandraStore connect(CassandraStoreConfig config) {
    CqlSession driver = Connector.connectToChangeSchema(config);
    try {
      return new CassandraStore(config, driver, Settling.start(config, driver));
    } catch (RuntimeException e) {
      Connector.close(driver);
      throw e;
    }
  }

  /**
   * Connects the driver as the store does, for tests and benchmarks of the plain driver; to be
   * closed by the caller.
   *
   * @throws org.calando.core.CalandoException as {@link #connect}
   */
  public static CqlSession driver(CassandraStoreConfig config) {
    return Connector.connect(config);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Creates the keyspace if there is none. An existing keyspace or table without Calando's mark
   * is refused and left as it is, as is a table that another process uses: this one has it from now
   * to the close, or until 60 s after it is killed. Emptying an existing table needs every node to
   * be up.
   *
   * @throws org.calando.core.FailedWorkException if a node is down or the cluster refuses
   */
  @Override
  public void prepare(TableSpec spec) {
    if (!CassandraStoreConfig.isName(spec.name())
        || !CassandraStoreConfig.isName(spec.fieldPrefix())) {
      throw new BadRequestException(
          "'" + spec.name() + "' or '" + spec.fieldPrefix() + "' is not a plain CQL name",
          "table",
          "use lower-case letters, digits and underscores, a letter first, at most 48");
    }
    if (OwnTable.isReserved(spec.name())) {
      throw new BadRequestException(
          "is the name of a table that Calando keeps for itself", spec.name(), "name another");
    }
    own.prepare(spec);
    table = spec;
  }

  @Override
  public Session open(SessionRequest request) {
    request.requireReadsFromAny("Cassandra");
    request.requireStrongWrites("Cassandra");
    TableSpec prepared = table;
    if (prepared == null) {
      throw new IllegalStateException("no table is prepared");
    }
    return new CassandraSession(driver, config.keyspace(), prepared, request.slots());
  }

  /**
   * {@inheritDoc}
   *
   * <p>With JMX endpoints: until no compaction is pending and every hint that was written since the
   * store was connected has been delivered. Hints on disk from before, and those of a node that
   * restarted meanwhile, are not seen. Without: until each node, asked over CQL, reports no
   * compaction and no hint dispatch at work and no finished hint file; hints in the file that is
   * still being written, and compactions not yet submitted, are not seen. A node that is down
   * counts as work left.
   */
  @Override
  public void settle(Duration deadline) {
    settling.await(deadline);
  }

  /**
   * {@inheritDoc}
   *
   * <p>That is so if the claim's row was renewed in time since then; asks the cluster once more.
   */
  @Override
  public void requireHeld() {
    own.requireHeld();
  }

  @Override
  public <C> Optional<C> find(Class<C> capability) {
    return KeyValueStore.super.find(capability).or(() -> config.find(capability));
  }

  /** Every node of the cluster, whichever data centre it is in, as the driver has found it. */
  public List<ClusterNode> clusterNodes() {
    return Connector.nodes(driver);
  }

  @Override
  public String engine() {
    Row row = driver.execute("SELECT release_version FROM system.local").one();
    return "cassandra " + (row == null ? "unknown" : row.getString(0));
  }

  /** Ends all sessions; requests under way get a few seconds to end. */
  @Override
  public void close() {
    settling.close();
    own.close();
    Connector.close(driver);
  }
}
