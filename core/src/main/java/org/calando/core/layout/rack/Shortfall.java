package org.calando.core.layout.rack;

import java.util.SortedSet;

/**
 * A range that would keep too few copies. Immutable and thread safe.
 *
 * @param keyspace whose range it is
 * @param replicas all nodes that hold it, of the data centre if that is what has too few
 * @param left copies on nodes that stay
 * @param needed copies that have to stay
 */
public record Shortfall(String keyspace, SortedSet<String> replicas, int left, int needed) {
  /** For people. */
  public String words() {
    return "keyspace %s: of the copies on %s %d would be on, and %d are needed"
        .formatted(keyspace, String.join(", ", replicas), left, needed);
  }
}
