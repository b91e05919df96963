package org.calando.store.cassandra;

import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.calando.core.CalandoException;

/**
 * Nodes by the names of a configuration, and which of these are off by order. Thread safe.
 *
 * @param names of addresses
 * @param off names of those that are off by order now
 */
public record OffNodes(Map<InetSocketAddress, String> names, Supplier<Set<String>> off) {
  public OffNodes {
    names = Map.copyOf(names);
  }

  /**
   * Those of a configuration.
   *
   * @param names in the order of the configuration's contact points
   */
  public static OffNodes of(
      CassandraStoreConfig config, List<String> names, Supplier<Set<String>> off) {
    Map<InetSocketAddress, String> byAddress = new HashMap<>();
    List<Endpoint> points = config.contactPoints();
    for (int i = 0; i < points.size(); i++) {
      byAddress.put(points.get(i).resolve(), names.get(i));
    }
    return new OffNodes(byAddress, off);
  }

  /** A node's name; empty if the configuration has none for it. */
  public Optional<String> name(Node node) {
    return node.getEndPoint().resolve() instanceof InetSocketAddress address
        ? Optional.ofNullable(names.get(address))
        : Optional.empty();
  }

  /** None if it cannot be read which are: then those that do not answer are not known. */
  public Set<String> now() {
    try {
      Set<String> resting = new TreeSet<>(off.get());
      resting.retainAll(names.values());
      return resting;
    } catch (CalandoException unreadable) {
      return Set.of();
    }
  }
}
