package org.calando.engine.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.Role;
import org.jspecify.annotations.Nullable;

/*
 * A master that is silent has its data on those that follow it. Fewer do than did when it last answered: one of them is
 * the master now, and what it holds is counted there; that the old one holds nothing is no news. One that had no replica
 * left nothing behind.
 *
 * A replica whose link is down while its master answers is in its first synchronisation, or has lost it for good: it
 * counts for nothing. One whose master is silent has what it had.
 *
 * A server that is silent here may be no more than out of our reach: a master that answers says how many follow it, and
 * where nobody answers nothing is known.
 */
/** Which servers hold the data that has the fewest of them. Immutable. */
record RedisCopies(int low, int high) {
  /**
   * Counts them.
   *
   * @param nodes what each server said last
   * @return empty while no master is known
   */
  static Optional<RedisCopies> of(List<NodeRole> nodes) {
    Map<String, NodeRole> byName = new HashMap<>();
    nodes.forEach(node -> byName.put(node.node(), node));
    Map<String, List<NodeRole>> groups =
        nodes.stream()
            .filter(node -> !isUnknown(node))
            .collect(Collectors.groupingBy(node -> root(node, byName)));
    if (nodes.stream().allMatch(node -> node.role() == Role.UNKNOWN)) {
      return Optional.empty();
    }
    int unknown = (int) nodes.stream().filter(RedisCopies::isUnknown).count();
    groups.entrySet().removeIf(group -> isLeft(byName.get(group.getKey()), group.getValue()));
    List<RedisCopies> copies =
        groups.entrySet().stream()
            .map(group -> of(byName.get(group.getKey()), group.getValue(), byName))
            .toList();
    return copies.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new RedisCopies(
                copies.stream().mapToInt(RedisCopies::low).min().getAsInt(),
                copies.stream().mapToInt(RedisCopies::high).min().getAsInt() + unknown));
  }

  private static RedisCopies of(
      @Nullable NodeRole master, List<NodeRole> group, Map<String, NodeRole> byName) {
    int low = (int) group.stream().filter(node -> holds(node, byName)).count();
    if (master == null || master.role() != Role.MASTER) {
      return new RedisCopies(low, low);
    }
    return new RedisCopies(low, Math.max(low, Math.min(group.size(), 1 + master.followers())));
  }

  /** Whether all of a group are silent, and some that followed its master follow another. */
  private static boolean isLeft(@Nullable NodeRole master, List<NodeRole> group) {
    return master != null
        && group.stream().allMatch(node -> node.role() == Role.UNKNOWN)
        && group.size() - 1 < master.followers();
  }

  /** It has never answered. */
  private static boolean isUnknown(NodeRole node) {
    return node.role() == Role.UNKNOWN && node.incarnation().isEmpty();
  }

  private static boolean holds(NodeRole node, Map<String, NodeRole> byName) {
    if (node.role() != Role.REPLICA || node.linkUp()) {
      return node.role() != Role.UNKNOWN;
    }
    NodeRole upstream = byName.get(node.upstream());
    return upstream == null || upstream.role() == Role.UNKNOWN;
  }

  /** The master that it follows, be it by other replicas, as far as it is known. */
  private static String root(NodeRole node, Map<String, NodeRole> byName) {
    String name = node.node();
    NodeRole at = node;
    for (int i = 0; i < byName.size() && at != null && !at.upstream().isEmpty(); i++) {
      name = at.upstream();
      at = byName.get(name);
    }
    return name;
  }
}
