package org.calando.local.redis;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.jspecify.annotations.Nullable;

/** What a local Redis cluster looks like. Immutable and thread safe. */
public final class LocalRedisConfig {
  /** Most nodes, the master included. */
  public static final int MAX_NODES = 20;

  /** All nodes and Sentinels listen here. */
  public static final String ADDRESS = "127.0.0.1";

  /** The name under which Sentinels know the master. */
  public static final String MASTER_NAME = "calando";

  /** What Calando sets itself, or what would take a node out of its hands. */
  private static final Set<String> OURS =
      Set.of(
          "port",
          "bind",
          "dir",
          "daemonize",
          "replicaof",
          "slaveof",
          "requirepass",
          "masterauth",
          "pidfile",
          "logfile",
          "include",
          "loadmodule",
          "unixsocket",
          "cluster-enabled",
          "cluster-port",
          "cluster-config-file",
          "tls-port",
          "tls-replication",
          "tls-cert-file",
          "tls-key-file",
          "tls-ca-cert-file",
          "tls-auth-clients",
          "supervised",
          "aclfile",
          "user",
          "rename-command",
          "io-threads");

  private static final Pattern SETTING = Pattern.compile("[a-z][a-z0-9-]*");

  private final int nodes;
  private final int sentinels;
  private final int shards;
  private final int ioThreads;
  private final String binary;
  private final int basePort;
  private final boolean auth;
  private final boolean tls;
  private final Duration downAfter;
  private final Duration startTimeout;
  private final Map<String, String> settings;
  private final @Nullable Path stateFolder;

  private LocalRedisConfig(Builder builder) {
    nodes = builder.nodes;
    sentinels = builder.sentinels;
    shards = builder.shards;
    ioThreads = builder.ioThreads;
    binary = builder.binary;
    basePort = builder.basePort;
    auth = builder.auth;
    tls = builder.tls;
    downAfter = builder.downAfter;
    startTimeout = builder.startTimeout;
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(builder.settings));
    stateFolder = builder.stateFolder;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Nodes, the master included; n1 is the master at the start, the others follow it. */
  public int nodes() {
    return nodes;
  }

  /** Sentinels: none, or an odd number that can agree. */
  public int sentinels() {
    return sentinels;
  }

  /**
   * Masters of a Redis Cluster, n1 and following, each with as many replicas; 0: one master without
   * Redis Cluster.
   */
  public int shards() {
    return shards;
  }

  /** The servers' {@code io-threads}; 1: none beside the main thread. */
  public int ioThreads() {
    return ioThreads;
  }

  /** The server's program: a path, or a name to be found in PATH. */
  public String binary() {
    return binary;
  }

  /** The port of n1, those of the others follow, the Sentinels' last; 0: any that are free. */
  public int basePort() {
    return basePort;
  }

  /** Whether clients and replicas need a password. */
  public boolean auth() {
    return auth;
  }

  /** Whether clients, replicas and Sentinels must use TLS. */
  public boolean tls() {
    return tls;
  }

  /** How long a node may be silent until a Sentinel holds it for down. */
  public Duration downAfter() {
    return downAfter;
  }

  /** How long to wait for all to be up. */
  public Duration startTimeout() {
    return startTimeout;
  }

  /** Further lines of {@code redis.conf}, by name. */
  public Map<String, String> settings() {
    return settings;
  }

  /** The folder of a cluster that outlives its starter; empty for a temporary one. */
  public Optional<Path> stateFolder() {
    return Optional.ofNullable(stateFolder);
  }

  /** Collects the options. Not thread safe. */
  public static final class Builder {
    private int nodes = 3;
    private int sentinels;
    private int shards;
    private int ioThreads = 1;
    private String binary = "redis-server";
    private int basePort;
    private boolean auth;
    private boolean tls;
    private Duration downAfter = Duration.ofSeconds(1);
    private Duration startTimeout = Duration.ofSeconds(30);
    private final Map<String, String> settings = new LinkedHashMap<>();
    private @Nullable Path stateFolder;

    private Builder() {}

    /** Default: 3. */
    @CanIgnoreReturnValue
    public Builder nodes(int count) {
      nodes = count;
      return this;
    }

    /** Default: 0. */
    @CanIgnoreReturnValue
    public Builder sentinels(int count) {
      sentinels = count;
      return this;
    }

    /** Default: 0, one master without Redis Cluster. Nodes are a multiple of it. */
    @CanIgnoreReturnValue
    public Builder shards(int masters) {
      shards = masters;
      return this;
    }

    /** Default: 1. */
    @CanIgnoreReturnValue
    public Builder ioThreads(int count) {
      ioThreads = count;
      return this;
    }

    /** Default: {@code redis-server}. */
    @CanIgnoreReturnValue
    public Builder binary(String program) {
      binary = program;
      return this;
    }

    /** Default: 0, any that are free. */
    @CanIgnoreReturnValue
    public Builder basePort(int port) {
      basePort = port;
      return this;
    }

    /** Default: false. */
    @CanIgnoreReturnValue
    public Builder auth(boolean needed) {
      auth = needed;
      return this;
    }

    /** Default: false. A CA of its own signs the certificate; the server must be built with TLS. */
    @CanIgnoreReturnValue
    public Builder tls(boolean newTls) {
      tls = newTls;
      return this;
    }

    /** Default: 1 s. */
    @CanIgnoreReturnValue
    public Builder downAfter(Duration silence) {
      downAfter = silence;
      return this;
    }

    /** Default: 30 s. */
    @CanIgnoreReturnValue
    public Builder startTimeout(Duration timeout) {
      startTimeout = timeout;
      return this;
    }

    /** Adds a line of {@code redis.conf}. Default: none. */
    @CanIgnoreReturnValue
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    /** Default: a temporary cluster. */
    @CanIgnoreReturnValue
    public Builder stateFolder(Path folder) {
      stateFolder = folder;
      return this;
    }

    /**
     * The configuration.
     *
     * @throws BadRequestException with all that is wrong
     */
    public LocalRedisConfig build() {
      List<String> wrong = new ArrayList<>();
      if (nodes < 1 || nodes > MAX_NODES) {
        wrong.add("nodes " + nodes + " is not 1 to " + MAX_NODES);
      }
      if (sentinels < 0 || sentinels > 7 || (sentinels > 0 && sentinels % 2 == 0)) {
        wrong.add("sentinels " + sentinels + " is not 0, 1, 3, 5 or 7");
      }
      checkShards(wrong);
      if (ioThreads < 1 || ioThreads > 64) {
        wrong.add("io-threads " + ioThreads + " is not 1 to 64");
      }
      if (basePort != 0 && (basePort < 1024 || basePort > 65000)) {
        wrong.add("port " + basePort + " is not 1024 to 65000");
      }
      if (downAfter.toMillis() < 1) {
        wrong.add("down-after " + downAfter + " is below 1 ms");
      }
      if (startTimeout.isNegative() || startTimeout.isZero()) {
        wrong.add("start timeout " + startTimeout + " is not positive");
      }
      settings.forEach((name, value) -> checkSetting(name, value, wrong));
      if (!wrong.isEmpty()) {
        throw new BadRequestException(
            String.join("; ", wrong), "local redis", "see docs/redis.md for what is possible");
      }
      return new LocalRedisConfig(this);
    }

    private void checkShards(List<String> wrong) {
      if (shards < 0 || shards > nodes || (shards > 0 && nodes % shards != 0)) {
        wrong.add("nodes " + nodes + " are not a multiple of " + shards + " shards");
      }
      if (shards > 0 && sentinels > 0) {
        wrong.add("Sentinels and shards: a Redis Cluster has no Sentinels");
      }
      if (shards > 0 && tls) {
        wrong.add("TLS and shards are not possible together yet");
      }
    }

    private static void checkSetting(String name, String value, List<String> wrong) {
      if (!SETTING.matcher(name).matches() || value.chars().anyMatch(c -> c < ' ')) {
        wrong.add("'" + name + "' is no setting of redis.conf");
      } else if (OURS.contains(name)) {
        wrong.add("'" + name + "' is set by Calando itself");
      }
    }
  }
}
