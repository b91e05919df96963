package org.calando.store.cassandra;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.calando.core.store.Capable;
import org.calando.core.store.CompactionLimits;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;
import org.calando.store.cassandra.internal.JmxCall;
import org.calando.store.cassandra.internal.JmxLimits;
import org.calando.store.cassandra.internal.JmxNode;
import org.jspecify.annotations.Nullable;

/**
 * Where a Cassandra cluster is and how Calando uses it. Immutable and thread safe.
 *
 * @param contactPoints nodes to connect to first; one that answers is enough
 * @param localDataCentre the data centre that coordinates; empty: that of the contact points
 * @param keyspace that of Calando's own
 * @param replication of the keyspace
 * @param credentials the user, where the cluster asks for one
 * @param tls how connections are encrypted; empty: not at all
 * @param requestTimeout how long a request may take before it is {@code INDETERMINATE}
 * @param jmxEndpoints JMX of each node, or empty where it cannot be reached
 * @param jmxCredentials the user of the JMX endpoints; empty where they ask for none
 * @param latencies where each node tells how long reads took; by default its JMX endpoint
 */
public record CassandraStoreConfig(
    List<Endpoint> contactPoints,
    Optional<String> localDataCentre,
    String keyspace,
    Replication replication,
    Optional<Credentials> credentials,
    Optional<TlsSettings> tls,
    Duration requestTimeout,
    List<Endpoint> jmxEndpoints,
    Optional<Credentials> jmxCredentials,
    List<NodeLatencies> latencies)
    implements Capable {
  // Unquoted CQL names, so that no name needs escaping.
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,47}");

  public static Builder builder() {
    return new Builder();
  }

  /** Whether the text can name a keyspace, a table or a column here: lower case, up to 48. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /**
   * {@inheritDoc}
   *
   * <p>{@link CompactionLimits} where the nodes' JMX can be reached.
   */
  @Override
  public <C> Optional<C> find(Class<C> capability) {
    return Capable.super
        .find(capability)
        .or(() -> JmxLimits.of(this).filter(capability::isInstance).map(capability::cast));
  }

  @Override
  public String toString() {
    return "CassandraStoreConfig[" + contactPoints + ", keyspace " + keyspace + "]";
  }

  /** Collects the options. Not thread safe. */
  public static final class Builder {
    private final List<Endpoint> contactPoints = new ArrayList<>();
    private @Nullable String localDataCentre;
    private String keyspace = "calando";
    private Replication replication = new Replication.Simple(1);
    private @Nullable Credentials credentials;
    private @Nullable TlsSettings tls;
    private Duration requestTimeout = Duration.ofSeconds(10);
    private final List<Endpoint> jmxEndpoints = new ArrayList<>();
    private @Nullable Credentials jmxCredentials;
    private final List<NodeLatencies> latencies = new ArrayList<>();

    private Builder() {}

    /** Adds a node to connect to; at least one is needed. */
    @CanIgnoreReturnValue
    public Builder contactPoint(String host, int port) {
      contactPoints.add(new Endpoint(host, port));
      return this;
    }

    /** The data centre whose nodes coordinate. Default: that of the contact points. */
    @CanIgnoreReturnValue
    public Builder localDataCentre(String name) {
      localDataCentre = name;
      return this;
    }

    /** Default: {@code calando}. Lower-case letters, digits and underscores. */
    @CanIgnoreReturnValue
    public Builder keyspace(String name) {
      keyspace = name;
      return this;
    }

    /** Default: {@link Replication.Simple} with one replica. */
    @CanIgnoreReturnValue
    public Builder replication(Replication replication) {
      this.replication = replication;
      return this;
    }

    /** Default: none. */
    @CanIgnoreReturnValue
    public Builder credentials(Credentials credentials) {
      this.credentials = credentials;
      return this;
    }

    /** Default: no encryption. */
    @CanIgnoreReturnValue
    public Builder tls(TlsSettings tls) {
      this.tls = tls;
      return this;
    }

    /** Default: 10 s, longer than the server's own limits (2 s for writes, 5 s for reads). */
    @CanIgnoreReturnValue
    public Builder requestTimeout(Duration timeout) {
      requestTimeout = timeout;
      return this;
    }

    /** Adds a node's JMX port; give those of all nodes or of none. Default: none. */
    @CanIgnoreReturnValue
    public Builder jmxEndpoint(String host, int port) {
      jmxEndpoints.add(new Endpoint(host, port));
      return this;
    }

    /** Adds where a node tells how long reads took; give it of all nodes or of none. */
    @CanIgnoreReturnValue
    public Builder latencies(NodeLatencies node) {
      latencies.add(node);
      return this;
    }

    /** Default: none. */
    @CanIgnoreReturnValue
    public Builder jmxCredentials(Credentials credentials) {
      jmxCredentials = credentials;
      return this;
    }

    /**
     * The configuration.
     *
     * @throws IllegalArgumentException if there is no contact point, a name is not one, or the
     *     timeout is not positive
     */
    public CassandraStoreConfig build() {
      if (contactPoints.isEmpty()) {
        throw new IllegalArgumentException("no contact point");
      }
      if (!isName(keyspace)) {
        throw new IllegalArgumentException(
            "keyspace '" + keyspace + "' is not [a-z][a-z0-9_]*, at most 48 characters");
      }
      if (requestTimeout.isNegative() || requestTimeout.isZero()) {
        throw new IllegalArgumentException("request timeout " + requestTimeout + " <= 0");
      }
      Optional<Credentials> ofJmx = Optional.ofNullable(jmxCredentials);
      return new CassandraStoreConfig(
          List.copyOf(contactPoints),
          Optional.ofNullable(localDataCentre),
          keyspace,
          replication,
          Optional.ofNullable(credentials),
          Optional.ofNullable(tls),
          requestTimeout,
          List.copyOf(jmxEndpoints),
          ofJmx,
          latencies.isEmpty() ? ofEndpoints(ofJmx) : List.copyOf(latencies));
    }

    private List<NodeLatencies> ofEndpoints(Optional<Credentials> ofJmx) {
      return jmxEndpoints.stream()
          .<NodeLatencies>map(node -> () -> JmxCall.begin(node, ofJmx, JmxNode::readLatencies))
          .toList();
    }
  }
}
