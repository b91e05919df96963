package org.calando.power;

import java.util.List;
import java.util.Optional;
import org.calando.core.energy.NodeProfile;

/**
 * A node whose energy is told. Immutable and thread safe.
 *
 * @param name the node's name
 * @param profile the machine that it stands for
 * @param sources where the energy of its machine can be read, at most one of each kind
 */
public record MeteredNode(String name, NodeProfile profile, List<PowerSource> sources) {
  /** Copies the list. */
  public MeteredNode {
    sources = List.copyOf(sources);
  }

  /** A node without any instrument. */
  public MeteredNode(String name, NodeProfile profile) {
    this(name, profile, List.of());
  }

  /** Its source of a kind. */
  public Optional<PowerSource> source(String kind) {
    return sources.stream().filter(source -> source.kind().equals(kind)).findFirst();
  }
}
