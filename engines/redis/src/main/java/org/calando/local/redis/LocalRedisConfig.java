package org.calando.local.redis;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.calando.local.ServersConfig;

/** What a local Redis cluster looks like. Immutable and thread safe. */
public final class LocalRedisConfig extends ServersConfig {
  /** Most nodes, the master included. */
  public static final int MAX_NODES = 20;

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

  private final int sentinels;
  private final int shards;
  private final int ioThreads;
  private final String binary;
  private final boolean auth;
  private final boolean tls;
  private final Duration downAfter;

  private LocalRedisConfig(Builder builder) {
    super(builder);
    sentinels = builder.sentinels;
    shards = builder.shards;
    ioThreads = builder.ioThreads;
    binary = builder.binary;
    auth = builder.auth;
    tls = builder.tls;
    downAfter = builder.downAfter;
  }

  /**
   * Three nodes, up within 30 s: n1 is the master at the start, the others follow it. Ports are
   * those of the nodes, then the Sentinels'; settings are lines of {@code redis.conf}.
   */
  public static Builder builder() {
    return new Builder();
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

  /** Collects the options. Not thread safe. */
  public static final class Builder extends ServersConfig.Builder<Builder> {
    private int sentinels;
    private int shards;
    private int ioThreads = 1;
    private String binary = "redis-server";
    private boolean auth;
    private boolean tls;
    private Duration downAfter = Duration.ofSeconds(1);

    private Builder() {
      super(3, Duration.ofSeconds(30));
    }

    @Override
    protected Builder self() {
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

    /**
     * The configuration.
     *
     * @throws BadRequestException with all that is wrong
     */
    public LocalRedisConfig build() {
      List<String> wrong = wrong(MAX_NODES, SETTING, OURS, "redis.conf");
      if (sentinels < 0 || sentinels > 7 || (sentinels > 0 && sentinels % 2 == 0)) {
        wrong.add("sentinels " + sentinels + " is not 0, 1, 3, 5 or 7");
      }
      checkShards(wrong);
      if (ioThreads < 1 || ioThreads > 64) {
        wrong.add("io-threads " + ioThreads + " is not 1 to 64");
      }
      refuse(wrong, LocalRedis.ENGINE, "see docs/redis.md for what is possible");
      return new LocalRedisConfig(this);
    }

    private void checkShards(List<String> wrong) {
      if (shards < 0 || shards > nodes() || (shards > 0 && nodes() % shards != 0)) {
        wrong.add("nodes " + nodes() + " are not a multiple of " + shards + " shards");
      }
      if (shards > 0 && sentinels > 0) {
        wrong.add("Sentinels and shards: a Redis Cluster has no Sentinels");
      }
      if (shards > 0 && tls) {
        wrong.add("TLS and shards are not possible together yet");
      }
    }
  }
}
