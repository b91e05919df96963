package org.calando.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.calando.core.replication.NodeView;
import org.calando.core.store.KeyValueStore;
import org.calando.core.store.ReadFrom;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.store.TableSpec;
import org.calando.store.redis.internal.Inspection;
import org.calando.store.redis.internal.Links;
import org.calando.store.redis.internal.LiveNodes;
import org.calando.store.redis.internal.OwnKeys;
import org.calando.store.redis.internal.RedisSession;
import org.jspecify.annotations.Nullable;

/**
 * Keys of Calando's own in one Redis or Valkey master and its replicas, or in a Redis Cluster,
 * where each key has a master and replicas. Not thread safe, except that sessions may be used while
 * the store is.
 *
 * <p>One operation is one request: the client neither retries nor sends again after it has lost a
 * connection. The master is the node that says so; a fail-over is followed within a tenth of a
 * second, and operations are refused while there is none.
 *
 * <p>A level that involves k nodes means, for writes, the master and k - 1 replicas that have
 * acknowledged (WAIT); for reads the newest of k nodes, and for k = 1 one that {@link ReadFrom}
 * allows. A master keeps the write that comes last; so a session sends the writes of one key one
 * after the other, and the highest version wins within it, though not between sessions or masters.
 */
public final class RedisStore implements KeyValueStore {
  private final RedisStoreConfig config;
  private final LiveNodes nodes;
  private final OwnKeys own;
  private @Nullable TableSpec table;

  private RedisStore(RedisStoreConfig config, LiveNodes nodes) {
    this.config = config;
    this.nodes = nodes;
    this.own = new OwnKeys(nodes, config.prefix());
  }

  /**
   * Makes sure that the Sentinels know the nodes that are listed, and no others; changes nothing.
   *
   * @throws BadRequestException naming what only one of them has
   * @throws org.calando.core.FailedWorkException if no Sentinel answers, or knows the master
   */
  public static void requireKnown(RedisStoreConfig config) {
    if (config.sentinels().isEmpty() || config.nodes().isEmpty()) {
      return;
    }
    try (Links links = new Links(config)) {
      links.requireKnown(config.nodes());
    }
  }

  /**
   * Connects to all nodes; blocks until one is the master and the others are linked.
   *
   * @throws org.calando.core.FailedWorkException if a node does not answer or refuses the user, or
   *     there is no master
   */
  public static RedisStore connect(RedisStoreConfig config) {
    return new RedisStore(config, LiveNodes.connect(config));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Keys that begin with the prefix and the table's name, and were not made by Calando, are
   * refused and left as they are, as are those that another process uses: this one has them from
   * now to the close, or until 60 s after it is killed. Looks through all keys of the master.
   *
   * @throws org.calando.core.FailedWorkException if the master refuses, or a replica is not linked
   */
  @Override
  public void prepare(TableSpec spec) {
    if (!RedisStoreConfig.isName(spec.name())) {
      throw new BadRequestException(
          "'" + spec.name() + "' cannot be part of a key here",
          "table",
          "use lower-case letters, digits and underscores, a letter first, at most 48");
    }
    own.prepare(spec);
    table = spec;
  }

  @Override
  public Session open(SessionRequest request) {
    request.requireStrongWrites("Redis");
    TableSpec prepared = table;
    if (prepared == null) {
      throw new IllegalStateException("no table is prepared");
    }
    return new RedisSession(
        nodes,
        own.recordPrefix(prepared),
        prepared,
        request.slots(),
        request.readFrom(),
        config.requestTimeout());
  }

  /**
   * {@inheritDoc}
   *
   * <p>That is: until all replicas are linked and have applied all that the master had written.
   */
  @Override
  public void settle(Duration deadline) {
    Inspection.awaitReplicas(nodes, deadline);
  }

  /**
   * {@inheritDoc}
   *
   * <p>That is so if the claim was renewed in time since then; asks the master once more.
   */
  @Override
  public void requireHeld() {
    own.requireHeld();
  }

  /** The nodes that a key is on: its master and that one's replicas. */
  public int replicationFactor() {
    return nodes.replicas();
  }

  /** What is known of each node's role, by name. */
  public List<NodeView> roles() {
    return nodes.view();
  }

  /** The nodes, as configured or as the Sentinels know them. */
  public List<RedisNode> nodes() {
    return nodes.nodes();
  }

  /** {@code redis} or {@code valkey}, and the master's version. */
  @Override
  public String engine() {
    Map<String, String> server = Inspection.info(nodes, "server");
    String valkey = server.get("valkey_version");
    return valkey == null
        ? "redis " + server.getOrDefault("redis_version", "unknown")
        : "valkey " + valkey;
  }

  /** Ends all sessions. */
  @Override
  public void close() {
    own.close();
    nodes.close();
  }
}
