package org.calando.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.store.KeyValueStore;
import org.calando.core.store.Session;
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
 * the key chosen at random ({@link CassandraStoreConfig.Routing}).
 */
public final class CassandraStore implements KeyValueStore {
  private final CassandraStoreConfig config;
  private final CqlSession driver;
  private final Settling settling;
  private @Nullable TableSpec table;

  private CassandraStore(CassandraStoreConfig config, CqlSession driver, Settling settling) {
    this.config = config;
    this.driver = driver;
    this.settling = settling;
  }

  /**
   * Connects to the cluster; blocks.
   *
   * @throws org.calando.core.FailedWorkException if no contact point answers, the user is refused,
   *     or a JMX endpoint that is given does not answer
   * @throws BadRequestException if a host or the data centre does not exist
   */
  public static CassandraStore connect(CassandraStoreConfig config) {
    CqlSession driver = Connector.connect(config);
    try {
      return new CassandraStore(config, driver, Settling.start(config, driver));
    } catch (RuntimeException e) {
      Connector.close(driver);
      throw e;
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Creates the keyspace if there is none. An existing keyspace or table without Calando's mark
   * is refused and left as it is. Emptying an existing table needs every node to be up.
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
    new OwnTable(driver, config.keyspace(), config.replication()).prepare(spec);
    table = spec;
  }

  @Override
  public Session open(int slots) {
    if (slots < 1) {
      throw new IllegalArgumentException("slots " + slots + " < 1");
    }
    TableSpec prepared = table;
    if (prepared == null) {
      throw new IllegalStateException("no table is prepared");
    }
    return new CassandraSession(driver, config.keyspace(), prepared, slots);
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

  /** Replicas of each key in the whole cluster: over data centres, their sum. */
  @Override
  public int replicationFactor() {
    return config.replication().replicas();
  }

  /** Every node that requests may go to, as the driver has discovered them. */
  public List<InetSocketAddress> nodeAddresses() {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (Node node : driver.getMetadata().getNodes().values()) {
      if (node.getDistance() != NodeDistance.IGNORED
          && node.getEndPoint().resolve() instanceof InetSocketAddress address) {
        addresses.add(address);
      }
    }
    return addresses;
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
    Connector.close(driver);
  }
}
