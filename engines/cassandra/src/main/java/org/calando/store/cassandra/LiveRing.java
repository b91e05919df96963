package org.calando.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.calando.core.FailedWorkException;
import org.calando.store.cassandra.internal.Connector;
import org.calando.store.cassandra.internal.ring.RingReader;
import org.calando.store.cassandra.internal.ring.RingStreams;
import org.calando.store.cassandra.internal.ring.RingWatch;

/**
 * The ring of a live cluster, as its nodes tell it over CQL, each for itself. Only reads. Needs
 * Cassandra 4.1 or later, for its virtual tables. Not thread safe.
 */
public final class LiveRing implements RingView, AutoCloseable {
  private final CqlSession driver;
  private final RingReader reader;
  private final RingWatch watch;
  private final RingStreams streams;

  private LiveRing(CassandraStoreConfig config, List<String> names, CqlSession driver) {
    this.driver = driver;
    Map<InetSocketAddress, RingReader.Listed> listed = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      Optional<Endpoint> jmx =
          config.jmxEndpoints().isEmpty()
              ? Optional.empty()
              : Optional.of(config.jmxEndpoints().get(i));
      listed.put(config.contactPoints().get(i).resolve(), new RingReader.Listed(names.get(i), jmx));
    }
    this.reader = new RingReader(driver, listed, config.jmxCredentials());
    this.watch = new RingWatch(driver, reader);
    this.streams = new RingStreams(driver);
  }

  /**
   * Connects; blocks.
   *
   * @param config how to; its keyspace does not matter
   * @param names of the nodes, as many as contact points and in their order
   * @throws org.calando.core.BadRequestException if a host does not exist
   * @throws FailedWorkException if the cluster does not answer, or refuses the user
   */
  public static LiveRing connect(CassandraStoreConfig config, List<String> names) {
    if (names.size() != config.contactPoints().size()) {
      throw new IllegalArgumentException(names + " for " + config.contactPoints());
    }
    CqlSession driver = Connector.connect(config);
    try {
      return new LiveRing(config, names, driver);
    } catch (RuntimeException e) {
      Connector.close(driver);
      throw e;
    }
  }

  /**
   * Reads it; blocks.
   *
   * @throws org.calando.core.BadRequestException if the listed nodes are not those of the cluster,
   *     it is older than 4.1, has another partitioner, or the user may not read it
   * @throws FailedWorkException if a node does not answer
   */
  public RingState read() {
    return reader.read();
  }

  /** Host ids of all nodes that the cluster knows of, also of those that do not answer. */
  public Set<String> hostIds() {
    return driver.getMetadata().getNodes().keySet().stream()
        .map(UUID::toString)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Names of the nodes that take a range from any of its replicas when they move, and not from the
   * one that gives it up: what only that one has, a read at QUORUM may then miss. Such nodes were
   * started with {@code cassandra.consistent.rangemovement=false}.
   */
  public List<String> takingFromAny() {
    return watch.takingFromAny();
  }

  @Override
  public Optional<String> obstacle() {
    return watch.obstacle().or(streams::underWay);
  }

  @Override
  public Sight look(String hostId) {
    return watch.look(hostId);
  }

  @Override
  public Map<String, BigInteger> tokens() {
    return watch.tokens();
  }

  @Override
  public List<String> moving() {
    return watch.moving();
  }

  @Override
  public Streams streams() {
    return streams.read();
  }

  @Override
  public void close() {
    Connector.close(driver);
  }
}
