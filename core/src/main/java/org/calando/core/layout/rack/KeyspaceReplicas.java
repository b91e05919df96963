package org.calando.core.layout.rack;

import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where a keyspace's replicas are. Immutable and thread safe.
 *
 * @param keyspace its name
 * @param ranges the different sets of nodes, by name, that hold a range
 */
public record KeyspaceReplicas(String keyspace, Set<Set<String>> ranges) {
  /** Copies the sets. */
  public KeyspaceReplicas {
    ranges = ranges.stream().map(Set::copyOf).collect(Collectors.toUnmodifiableSet());
  }
}
