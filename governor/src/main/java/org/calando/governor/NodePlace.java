package org.calando.governor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.calando.engine.StoreSpec;

/**
 * Where a node is, and whether it serves. Immutable and thread safe.
 *
 * @param rack as the inventory or the engine has it
 * @param dataCenter as the inventory has it
 * @param presence whether it serves
 * @param role master or replica, where its roles are watched
 */
public record NodePlace(
    Optional<String> rack, Optional<String> dataCenter, Presence presence, Optional<String> role) {
  /** Whether a node serves. */
  public enum Presence {
    /** It answered when it was last asked. */
    ON,
    /** It was switched off by order. */
    OFF,
    /** It is to be on, and does not answer. */
    SILENT,
    /** Nobody has asked it yet, or nobody can. */
    UNKNOWN
  }

  /** Of which nothing is known. */
  static final NodePlace NOWHERE =
      new NodePlace(Optional.empty(), Optional.empty(), Presence.UNKNOWN, Optional.empty());

  /** Where a user's file has the nodes, in its order. */
  static Map<String, NodePlace> of(StoreSpec store) {
    Map<String, NodePlace> places = new LinkedHashMap<>();
    store
        .inventory()
        .ifPresent(
            file ->
                file.nodes()
                    .forEach(
                        node ->
                            places.put(
                                node.name(),
                                new NodePlace(
                                    node.rack(),
                                    file.datacenterOf(node),
                                    Presence.UNKNOWN,
                                    Optional.empty()))));
    return places;
  }

  NodePlace with(Presence now, Optional<String> itsRole) {
    return new NodePlace(rack, dataCenter, now, itsRole);
  }
}
