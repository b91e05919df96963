package org.calando.store.redis;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;
import org.jspecify.annotations.Nullable;

/**
 * Where a Redis master and its replicas are, and how Calando uses them. Immutable and thread safe.
 *
 * @param nodes the master and all replicas, in any order; empty: what the Sentinels say
 * @param sentinels Sentinels of the master; may be empty. Beside a list of nodes they must know the
 *     same
 * @param cluster whether it is a Redis Cluster, whose other nodes are found by any of the nodes
 * @param masterName the name under which the Sentinels know the master
 * @param prefix what all of Calando's keys begin with, before a colon
 * @param credentials of the nodes
 * @param sentinelCredentials of the Sentinels
 * @param tls how connections are encrypted; empty: not at all
 * @param requestTimeout how long a request may take before it is {@code INDETERMINATE}
 */
public record RedisStoreConfig(
    List<RedisNode> nodes,
    List<RedisNode> sentinels,
    boolean cluster,
    String masterName,
    String prefix,
    Optional<Credentials> credentials,
    Optional<Credentials> sentinelCredentials,
    Optional<TlsSettings> tls,
    Duration requestTimeout) {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,47}");

  public static Builder builder() {
    return new Builder();
  }

  /** Whether the text can be a prefix or a table's name here: lower case, up to 48. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  @Override
  public String toString() {
    return "RedisStoreConfig[" + nodes + ", sentinels " + sentinels + ", prefix " + prefix + "]";
  }

  /** Collects the options. Not thread safe. */
  public static final class Builder {
    private final List<RedisNode> nodes = new ArrayList<>();
    private final List<RedisNode> sentinels = new ArrayList<>();
    private boolean cluster;
    private String masterName = "mymaster";
    private String prefix = "calando";
    private @Nullable Credentials credentials;
    private @Nullable Credentials sentinelCredentials;
    private @Nullable TlsSettings tls;
    private Duration requestTimeout = Duration.ofSeconds(10);

    private Builder() {}

    /** Adds a node. Default: none, the Sentinels say which there are. */
    @CanIgnoreReturnValue
    public Builder node(RedisNode node) {
      nodes.add(node);
      return this;
    }

    /** Adds a Sentinel. Default: none. */
    @CanIgnoreReturnValue
    public Builder sentinel(RedisNode sentinel) {
      sentinels.add(sentinel);
      return this;
    }

    /** Default: false. */
    @CanIgnoreReturnValue
    public Builder cluster(boolean isCluster) {
      cluster = isCluster;
      return this;
    }

    /** Default: {@code mymaster}. */
    @CanIgnoreReturnValue
    public Builder masterName(String name) {
      masterName = name;
      return this;
    }

    /** Default: {@code calando}. Lower-case letters, digits and underscores. */
    @CanIgnoreReturnValue
    public Builder prefix(String keys) {
      prefix = keys;
      return this;
    }

    /** Default: none. */
    @CanIgnoreReturnValue
    public Builder credentials(Credentials ofNodes) {
      credentials = ofNodes;
      return this;
    }

    /** Default: none. */
    @CanIgnoreReturnValue
    public Builder sentinelCredentials(Credentials ofSentinels) {
      sentinelCredentials = ofSentinels;
      return this;
    }

    /** Default: no encryption. */
    @CanIgnoreReturnValue
    public Builder tls(TlsSettings encryption) {
      tls = encryption;
      return this;
    }

    /** Default: 10 s. */
    @CanIgnoreReturnValue
    public Builder requestTimeout(Duration timeout) {
      requestTimeout = timeout;
      return this;
    }

    /**
     * The configuration.
     *
     * @throws IllegalArgumentException if a Redis Cluster has Sentinels, there is neither node nor
     *     Sentinel, the prefix is none, or the timeout is below a millisecond
     */
    public RedisStoreConfig build() {
      if (nodes.isEmpty() && sentinels.isEmpty()) {
        throw new IllegalArgumentException("neither nodes nor Sentinels");
      }
      if (cluster && !sentinels.isEmpty()) {
        throw new IllegalArgumentException("a Redis Cluster has no Sentinels");
      }
      if (!isName(prefix)) {
        throw new IllegalArgumentException(
            "prefix '" + prefix + "' is not [a-z][a-z0-9_]*, at most 48 characters");
      }
      if (requestTimeout.toMillis() < 1) {
        throw new IllegalArgumentException("request timeout " + requestTimeout + " < 1 ms");
      }
      return new RedisStoreConfig(
          List.copyOf(nodes),
          List.copyOf(sentinels),
          cluster,
          masterName,
          prefix,
          Optional.ofNullable(credentials),
          Optional.ofNullable(sentinelCredentials),
          Optional.ofNullable(tls),
          requestTimeout);
    }
  }
}
