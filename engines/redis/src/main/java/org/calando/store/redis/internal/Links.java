package org.calando.store.redis.internal;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RedisStoreConfig;
import org.calando.store.redis.internal.wire.Endpoint;
import org.calando.store.redis.internal.wire.TlsKeys;

/*
 * One operation is one request. The client would send what is under way once more when it has
 * connected again, and keep what is asked meanwhile for later: both are switched off.
 */
/** The connections to nodes, by Lettuce. Thread safe. */
public final class Links implements AutoCloseable {
  /**
   * Netty and Lettuce write to java.util.logging, and so to the terminal, where SLF4J is bound to
   * nothing. What matters comes as an error of an operation. The field keeps the levels in force.
   */
  private static final List<Logger> QUIET =
      List.of(Logger.getLogger("io.lettuce"), Logger.getLogger("io.netty"));

  static {
    QUIET.forEach(logger -> logger.setLevel(Level.OFF));
  }

  private static final Duration RECONNECT_LOWEST = Duration.ofMillis(10);
  private static final Duration RECONNECT_HIGHEST = Duration.ofMillis(500);

  /** A replica of a Redis Cluster answers reads on connections only that ask for it, each anew. */
  private static final RedisConnectionStateListener READ_ONLY =
      new RedisConnectionStateListener() {
        @Override
        public void onRedisConnected(
            RedisChannelHandler<?, ?> connection, java.net.SocketAddress address) {
          if (connection instanceof StatefulRedisConnection<?, ?> open) {
            var unused = open.async().readOnly();
          }
        }
      };

  private final RedisStoreConfig config;
  private final ClientResources resources;
  private final RedisClient client;

  /** Opens no connection yet. */
  public Links(RedisStoreConfig config) {
    this.config = config;
    resources =
        DefaultClientResources.builder()
            .reconnectDelay(
                Delay.exponential(RECONNECT_LOWEST, RECONNECT_HIGHEST, 2, TimeUnit.MILLISECONDS))
            .build();
    client = RedisClient.create(resources);
    client.setOptions(options());
    if (config.cluster()) {
      client.addListener(READ_ONLY);
    }
  }

  private ClientOptions options() {
    ClientOptions.Builder options =
        ClientOptions.builder()
            .autoReconnect(true)
            .replayFilter(command -> true)
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .protocolVersion(ProtocolVersion.RESP2)
            .socketOptions(
                SocketOptions.builder()
                    .connectTimeout(config.requestTimeout())
                    .tcpNoDelay(true)
                    .build());
    config.tls().ifPresent(tls -> options.sslOptions(sslOptions(tls)));
    return options.build();
  }

  private static SslOptions sslOptions(TlsSettings tls) {
    return SslOptions.builder()
        .jdkSslProvider()
        .sslContext(builder -> TlsKeys.configure(builder, tls))
        .build();
  }

  /**
   * Connects to a node.
   *
   * @throws FailedWorkException if it does not answer or refuses the user
   */
  public StatefulRedisConnection<byte[], byte[]> connect(RedisNode node) {
    try {
      return client.connect(ByteArrayCodec.INSTANCE, uri(node, config.credentials()));
    } catch (RedisException e) {
      throw new FailedWorkException(
          node + " cannot be reached: " + reason(e),
          node.address(),
          "start it, or fix its address, user and password",
          e);
    }
  }

  /** Begins to connect to a node. */
  CompletionStage<StatefulRedisConnection<byte[], byte[]>> connectLater(RedisNode node) {
    return client.connectAsync(ByteArrayCodec.INSTANCE, uri(node, config.credentials()));
  }

  /**
   * The nodes that the Sentinels know, the master first; they are called n1, n2 and so on.
   *
   * @throws FailedWorkException if none of them answers, or knows the master
   */
  public List<RedisNode> discover() {
    List<String> answers = new ArrayList<>();
    for (RedisNode sentinel : config.sentinels()) {
      try (var connection = client.connectSentinel(uri(sentinel, config.sentinelCredentials()))) {
        var commands = connection.sync();
        List<RedisNode> found = new ArrayList<>();
        var master = commands.master(config.masterName());
        found.add(node(1, master));
        for (var replica : commands.replicas(config.masterName())) {
          found.add(node(found.size() + 1, replica));
        }
        return found;
      } catch (RedisException e) {
        answers.add(sentinel.address() + ": " + reason(e));
      }
    }
    throw new FailedWorkException(
        "no Sentinel knows the master " + config.masterName() + ": " + answers,
        "sentinels",
        "correct their addresses, the password or the master's name");
  }

  /**
   * The nodes of a Redis Cluster, by the first of those listed that answers. One that is listed has
   * the name that it is listed by, others are called by their address.
   *
   * @return each by the {@code host:port} that the cluster tells of it
   * @throws FailedWorkException if none answers, or it is no Redis Cluster
   */
  public Map<String, RedisNode> discoverCluster() {
    List<String> answers = new ArrayList<>();
    for (RedisNode seed : config.nodes()) {
      try (var connection = client.connect(uri(seed, config.credentials()))) {
        Map<String, RedisNode> found = new LinkedHashMap<>();
        for (Object range : connection.sync().clusterSlots()) {
          if (range instanceof List<?> parts) {
            parts.stream().skip(2).forEach(node -> addNode(found, seed, node));
          }
        }
        if (!found.isEmpty()) {
          return found;
        }
        answers.add(seed.address() + ": no slots are served");
      } catch (RedisException e) {
        answers.add(seed.address() + ": " + reason(e));
      }
    }
    throw new FailedWorkException(
        "no node reports a Redis Cluster: " + answers,
        "nodes",
        "fix their addresses and the password; the user needs +cluster|slots and +readonly");
  }

  private void addNode(Map<String, RedisNode> found, RedisNode seed, Object told) {
    Optional<Endpoint> endpoint = Endpoint.of(told, seed.host());
    if (endpoint.isEmpty() || found.containsKey(endpoint.get().address())) {
      return;
    }
    String address = endpoint.get().address();
    RedisNode plain = new RedisNode(address, endpoint.get().host(), endpoint.get().port());
    RedisNode named =
        config.nodes().stream()
            .filter(listed -> numeric(listed).equals(numeric(plain)))
            .findFirst()
            .orElse(plain);
    found.put(address, named);
  }

  /**
   * Makes sure that listed nodes are those that the Sentinels know, by their addresses.
   *
   * @throws BadRequestException naming what only one of them has
   * @throws FailedWorkException as {@link #discover}
   */
  public void requireKnown(List<RedisNode> listed) {
    Map<String, RedisNode> unknown = new LinkedHashMap<>();
    listed.forEach(node -> unknown.put(numeric(node), node));
    List<String> wrong = new ArrayList<>();
    for (RedisNode known : discover()) {
      if (unknown.remove(numeric(known)) == null) {
        wrong.add("they know " + known.address() + ", which is not listed");
      }
    }
    unknown.values().forEach(node -> wrong.add("they do not know " + node));
    if (!wrong.isEmpty()) {
      throw new BadRequestException(
          "the nodes are not those that the Sentinels know as "
              + config.masterName()
              + ": "
              + String.join("; ", wrong),
          "sentinels",
          "list the master and all replicas as the Sentinels tell them; they forget nodes that are"
              + " gone by SENTINEL RESET");
    }
  }

  /** A node's address by its number, as servers tell it; the name if it is not known. */
  static String numeric(RedisNode node) {
    try {
      return InetAddress.getByName(node.host()).getHostAddress() + ":" + node.port();
    } catch (UnknownHostException e) {
      return node.address();
    }
  }

  private static RedisNode node(int index, Map<String, String> told) {
    String host = told.getOrDefault("ip", "?");
    return new RedisNode("n" + index, host, (int) Numbers.longOr(told.get("port"), 6379));
  }

  private RedisURI uri(RedisNode node, Optional<Credentials> credentials) {
    RedisURI.Builder uri =
        RedisURI.builder()
            .withHost(node.host())
            .withPort(node.port())
            .withTimeout(config.requestTimeout())
            .withClientName("calando");
    credentials.ifPresent(
        given -> {
          if (given.user().isEmpty()) {
            uri.withPassword((CharSequence) given.password());
          } else {
            uri.withAuthentication(given.user(), given.password());
          }
        });
    config
        .tls()
        .ifPresent(
            tls ->
                uri.withSsl(true)
                    .withVerifyPeer(tls.verifyHostname() ? SslVerifyMode.FULL : SslVerifyMode.CA));
    return uri.build();
  }

  /** The innermost reason says most. */
  public static String reason(Throwable error) {
    Throwable inner = error;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return String.valueOf(inner.getMessage());
  }

  @Override
  public void close() {
    client.shutdown(0, 2, TimeUnit.SECONDS);
    resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
  }
}
