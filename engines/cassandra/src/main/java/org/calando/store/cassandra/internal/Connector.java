package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.http.Credentials;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.ClusterNode;
import org.calando.store.cassandra.Endpoint;
import org.calando.store.cassandra.Replication;

/** Opens the driver's session for Calando's use of it and explains why it cannot. Stateless. */
public final class Connector {
  // One connection a node carries any load of ours; this bounds what it holds.
  private static final int MAX_REQUESTS_PER_CONNECTION = 8192;

  /**
   * Not 5, in which a node ends the error of a lightweight transaction that was not done in time
   * with two bytes that the driver does not read: it takes them for another answer, and closes the
   * connection with all requests on it.
   */
  private static final DefaultProtocolVersion PROTOCOL = DefaultProtocolVersion.V4;

  /** Gathers the news of a change of the schema; the change is answered after it. */
  private static final Duration SCHEMA_WINDOW = Duration.ofMillis(20);

  private Connector() {}

  /** As the other, with the schema of the configuration's own keyspace. */
  public static CqlSession connect(CassandraStoreConfig config) {
    return connect(config, config.keyspace());
  }

  /**
   * As the other, for whoever asks {@link SchemaAgreement} after each change of the schema: the
   * driver does not look whether all nodes have made it.
   */
  public static CqlSession connectToChangeSchema(CassandraStoreConfig config) {
    return connect(
        config,
        driverConfig(config, config.keyspace())
            .withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, SCHEMA_WINDOW)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_AGREEMENT_TIMEOUT, Duration.ZERO)
            .withBoolean(DefaultDriverOption.CONTROL_CONNECTION_AGREEMENT_WARN, false)
            .build());
  }

  /**
   * Connects; blocks.
   *
   * @param keyspace whose schema the driver is to know, as the server spells it
   * @throws FailedWorkException if no contact point answers, the user is refused or TLS fails
   * @throws BadRequestException if the cluster has no such data centre, or a file of keys or
   *     certificates cannot be used
   */
  public static CqlSession connect(CassandraStoreConfig config, String keyspace) {
    return connect(config, driverConfig(config, keyspace).build());
  }

  private static CqlSession connect(CassandraStoreConfig config, DriverConfigLoader options) {
    CqlSessionBuilder builder = CqlSession.builder().withConfigLoader(options);
    for (Endpoint point : config.contactPoints()) {
      InetSocketAddress address = point.resolve();
      if (address.isUnresolved()) {
        throw new BadRequestException(
            "no such host", "contact point " + point, "correct its name, or use its address");
      }
      builder = builder.addContactPoint(address);
    }
    Optional<TlsContext> tls = TlsContext.of(config);
    if (tls.isPresent()) {
      builder = builder.withSslEngineFactory(tls.get());
    }
    if (config.credentials().isPresent()) {
      Credentials credentials = config.credentials().get();
      builder = builder.withAuthCredentials(credentials.user(), credentials.password());
    }
    CqlSession session;
    try {
      session = builder.build();
    } catch (DriverException | IllegalStateException e) {
      throw Refusals.explain(config, tls, e);
    }
    try {
      checkDataCentres(config, session);
    } catch (BadRequestException e) {
      close(session);
      throw e;
    }
    return session;
  }

  /** The nodes that the driver has found. */
  public static List<ClusterNode> nodes(CqlSession session) {
    List<ClusterNode> nodes = new ArrayList<>();
    for (Node node : session.getMetadata().getNodes().values()) {
      if (node.getEndPoint().resolve() instanceof InetSocketAddress address) {
        nodes.add(
            new ClusterNode(
                address,
                node.getBroadcastRpcAddress(),
                Objects.requireNonNullElse(node.getDatacenter(), "?"),
                Objects.requireNonNullElse(node.getRack(), "?"),
                node.getState() != NodeState.DOWN));
      }
    }
    return nodes;
  }

  /** Waits a little for requests under way, then closes by force. Idempotent. */
  public static void close(CqlSession session) {
    if (session.isClosed()) {
      return;
    }
    try {
      session.closeAsync().toCompletableFuture().get(5, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      var unused = session.forceCloseAsync();
    } catch (InterruptedException e) {
      var unused = session.forceCloseAsync();
      Thread.currentThread().interrupt();
    }
  }

  private static ProgrammaticDriverConfigLoaderBuilder driverConfig(
      CassandraStoreConfig config, String keyspace) {
    var options =
        DriverConfigLoader.programmaticBuilder()
            .withString(DefaultDriverOption.SESSION_NAME, "calando")
            .withString(DefaultDriverOption.PROTOCOL_VERSION, PROTOCOL.name())
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, config.requestTimeout())
            .withClass(DefaultDriverOption.RETRY_POLICY_CLASS, NoRetry.class)
            .withBoolean(DefaultDriverOption.LOAD_BALANCING_POLICY_SLOW_AVOIDANCE, false)
            .withStringList(
                DefaultDriverOption.METADATA_SCHEMA_REFRESHED_KEYSPACES, List.of(keyspace))
            .withInt(DefaultDriverOption.CONNECTION_POOL_LOCAL_SIZE, 1)
            .withInt(DefaultDriverOption.CONNECTION_MAX_REQUESTS, MAX_REQUESTS_PER_CONNECTION)
            .withInt(
                DefaultDriverOption.NETTY_IO_SIZE,
                Runtime.getRuntime().availableProcessors() > 2 ? 2 : 1)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
            .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
            // No task of ours comes after the close: waiting for one takes 2 s by default.
            .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
            .withDuration(DefaultDriverOption.HEARTBEAT_INTERVAL, Duration.ofSeconds(10))
            .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(5))
            .withBoolean(DefaultDriverOption.CONNECTION_WARN_INIT_ERROR, false);
    if (config.localDataCentre().isPresent()) {
      options =
          options.withString(
              DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, config.localDataCentre().get());
    }
    return options.withClass(
        DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, WholeClusterPolicy.class);
  }

  private static void checkDataCentres(CassandraStoreConfig config, CqlSession session) {
    TreeSet<String> present =
        session.getMetadata().getNodes().values().stream()
            .map(Node::getDatacenter)
            .filter(Objects::nonNull)
            .collect(Collectors.toCollection(TreeSet::new));
    config
        .localDataCentre()
        .ifPresent(
            name ->
                requirePresent(name, present, "local data centre", "name one, or leave it out"));
    if (config.replication() instanceof Replication.NetworkTopology topology) {
      for (String name : new TreeSet<>(topology.byDataCentre().keySet())) {
        requirePresent(name, present, "replication factor", "name data centres that there are");
      }
    }
  }

  private static void requirePresent(
      String name, NavigableSet<String> present, String where, String remedy) {
    if (!present.contains(name)) {
      throw new BadRequestException(
          "the cluster has no data centre '"
              + name
              + "'; it has "
              + String.join(", ", present)
              + "; nothing was changed",
          where,
          remedy);
    }
  }
}
