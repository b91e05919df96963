package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Credentials;
import org.calando.store.cassandra.Endpoint;
import org.jspecify.annotations.Nullable;

/** Opens the driver's session for Calando's use of it and explains why it cannot. Stateless. */
public final class Connector {
  // One connection a node carries any load of ours; this bounds what it holds.
  private static final int MAX_REQUESTS_PER_CONNECTION = 8192;

  private Connector() {}

  /**
   * Connects; blocks.
   *
   * @throws FailedWorkException if no contact point answers or the user is refused
   * @throws BadRequestException if the cluster has no such data centre
   */
  public static CqlSession connect(CassandraStoreConfig config) {
    CqlSessionBuilder builder = CqlSession.builder().withConfigLoader(driverConfig(config));
    for (Endpoint point : config.contactPoints()) {
      InetSocketAddress address = point.resolve();
      if (address.isUnresolved()) {
        throw new BadRequestException(
            "no such host", "contact point " + point, "correct its name, or use its address");
      }
      builder = builder.addContactPoint(address);
    }
    if (config.credentials().isPresent()) {
      Credentials credentials = config.credentials().get();
      builder = builder.withAuthCredentials(credentials.user(), credentials.password());
    }
    CqlSession session;
    try {
      session = builder.build();
    } catch (DriverException | IllegalStateException e) {
      throw explain(config, e);
    }
    try {
      checkDataCentre(config, session);
    } catch (BadRequestException e) {
      close(session);
      throw e;
    }
    return session;
  }

  /** Waits a little for requests under way, then closes by force. */
  public static void close(CqlSession session) {
    try {
      session.closeAsync().toCompletableFuture().get(5, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      var unused = session.forceCloseAsync();
    } catch (InterruptedException e) {
      var unused = session.forceCloseAsync();
      Thread.currentThread().interrupt();
    }
  }

  private static DriverConfigLoader driverConfig(CassandraStoreConfig config) {
    var options =
        DriverConfigLoader.programmaticBuilder()
            .withString(DefaultDriverOption.SESSION_NAME, "calando")
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, config.requestTimeout())
            .withClass(DefaultDriverOption.RETRY_POLICY_CLASS, NoRetry.class)
            .withBoolean(DefaultDriverOption.LOAD_BALANCING_POLICY_SLOW_AVOIDANCE, false)
            // Without the token map the driver takes the nodes in turn.
            .withBoolean(
                DefaultDriverOption.METADATA_TOKEN_MAP_ENABLED,
                config.routing() == CassandraStoreConfig.Routing.TOKEN_AWARE)
            .withStringList(
                DefaultDriverOption.METADATA_SCHEMA_REFRESHED_KEYSPACES, List.of(config.keyspace()))
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
    } else {
      options =
          options.withString(
              DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "DcInferringLoadBalancingPolicy");
    }
    return options.build();
  }

  private static void checkDataCentre(CassandraStoreConfig config, CqlSession session) {
    if (config.localDataCentre().isEmpty()) {
      return;
    }
    String wanted = config.localDataCentre().get();
    TreeSet<String> present =
        session.getMetadata().getNodes().values().stream()
            .map(Node::getDatacenter)
            .filter(Objects::nonNull)
            .collect(Collectors.toCollection(TreeSet::new));
    if (!present.contains(wanted)) {
      throw new BadRequestException(
          "the cluster has no data centre '" + wanted + "'; it has " + String.join(", ", present),
          "local data centre",
          "name one of these, or leave it out");
    }
  }

  private static FailedWorkException explain(CassandraStoreConfig config, RuntimeException error) {
    String where = "Cassandra at " + join(config.contactPoints());
    Throwable refused = find(error, AuthenticationException.class);
    if (refused != null) {
      boolean given = config.credentials().isPresent();
      return new FailedWorkException(
          given ? "the user or the password is refused" : "the cluster asks for a user",
          where,
          "give a user that may log in, by a credentials file or the environment",
          refused);
    }
    Throwable unreachable = find(error, ConnectException.class);
    Throwable root = unreachable == null ? root(error) : unreachable;
    return new FailedWorkException(
        "no contact point answers (" + summary(root) + ")",
        where,
        "check that the nodes run and listen for CQL clients on that address and port",
        error);
  }

  /** The first error of a class among the causes and what stands beside them. */
  private static <T extends Throwable> @Nullable T find(Throwable error, Class<T> type) {
    for (Throwable t = error; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return type.cast(t);
      }
      for (Throwable nested : nested(t)) {
        T found = find(nested, type);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  /** Errors that stand beside the cause: those of each node, and the suppressed ones. */
  private static List<Throwable> nested(Throwable error) {
    List<Throwable> nested = new ArrayList<>(List.of(error.getSuppressed()));
    if (error instanceof AllNodesFailedException e) {
      e.getAllErrors().values().forEach(nested::addAll);
    }
    return nested;
  }

  private static Throwable root(Throwable error) {
    Throwable t = error;
    if (t instanceof AllNodesFailedException e && !e.getAllErrors().isEmpty()) {
      t = e.getAllErrors().values().iterator().next().get(0);
    }
    while (t.getCause() != null) {
      t = t.getCause();
    }
    return t;
  }

  private static String summary(Throwable error) {
    String message = error.getMessage();
    return message == null ? error.getClass().getSimpleName() : message;
  }

  private static String join(List<Endpoint> points) {
    return points.stream().map(Endpoint::toString).collect(Collectors.joining(", "));
  }
}
