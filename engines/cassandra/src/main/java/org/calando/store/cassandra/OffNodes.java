package org.calando.store.cassandra;

import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.calando.core.CalandoException;

/**
 * Nodes by the names of a configuration, and which of these are off by order. Thread safe.
 *
 * @param names of addresses
 * @param away says which are off by order now
 */
public record OffNodes(Map<InetSocketAddress, String> names, Supplier<Away> away) {
  public OffNodes {
    names = Map.copyOf(names);
  }

  /**
   * Names of nodes that are off by order. Immutable.
   *
   * @param off all of them
   * @param coming those of them that were ordered back: they may answer, and it is not proved yet
   *     that they have what was written meanwhile
   */
  public record Away(Set<String> off, Set<String> coming) {
    /** All are on. */
    public static final Away NONE = new Away(Set.of(), Set.of());

    public Away {
      off = Set.copyOf(off);
      coming = Set.copyOf(coming);
    }

    /** Names of those that stay off. */
    public Set<String> resting() {
      return off.stream()
          .filter(name -> !coming.contains(name))
          .collect(Collectors.toUnmodifiableSet());
    }

    private Away among(Collection<String> names) {
      Set<String> known = new TreeSet<>(off);
      known.retainAll(names);
      return new Away(known, coming);
    }
  }

  /**
   * Those of a configuration.
   *
   * @param names in the order of the configuration's contact points
   */
  public static OffNodes of(CassandraStoreConfig config, List<String> names, Supplier<Away> away) {
    Map<InetSocketAddress, String> byAddress = new HashMap<>();
    List<Endpoint> points = config.contactPoints();
    for (int i = 0; i < points.size(); i++) {
      byAddress.put(points.get(i).resolve(), names.get(i));
    }
    return new OffNodes(byAddress, away);
  }

  /** A node's name; empty if the configuration has none for it. */
  public Optional<String> name(Node node) {
    return node.getEndPoint().resolve() instanceof InetSocketAddress address
        ? Optional.ofNullable(names.get(address))
        : Optional.empty();
  }

  /** Which are off now; empty if that cannot be read. */
  public Optional<Away> now() {
    try {
      return Optional.of(away.get().among(names.values()));
    } catch (CalandoException unreadable) {
      return Optional.empty();
    }
  }
}
