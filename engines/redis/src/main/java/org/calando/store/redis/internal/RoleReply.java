package org.calando.store.redis.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.Role;

/**
 * What a node answered to ROLE. Immutable.
 *
 * @param role master or replica
 * @param upstream {@code host:port} of the node that it follows; empty for a master
 * @param linkUp whether a replica is connected and past its first copy; true for a master
 * @param offsetBytes of the replication stream, written or applied; -1 if a replica has none yet
 * @param followers replicas attached to a master; 0 for a replica, which does not tell
 */
record RoleReply(Role role, String upstream, boolean linkUp, long offsetBytes, int followers) {

  /** Reads a reply to ROLE; empty if it is none of a master or replica. */
  static Optional<RoleReply> of(Object reply) {
    if (!(reply instanceof List<?> list) || list.isEmpty()) {
      return Optional.empty();
    }
    if ("master".equals(list.get(0))
        && list.size() >= 3
        && list.get(1) instanceof Long offset
        && list.get(2) instanceof List<?> replicas) {
      return Optional.of(new RoleReply(Role.MASTER, "", true, offset, replicas.size()));
    }
    if ("slave".equals(list.get(0))
        && list.size() >= 5
        && list.get(1) instanceof String host
        && list.get(2) instanceof Long port
        && list.get(4) instanceof Long offset) {
      boolean up = "connected".equals(list.get(3));
      return Optional.of(
          new RoleReply(Role.REPLICA, host + ":" + port, up, Math.max(-1, offset), 0));
    }
    return Optional.empty();
  }

  /**
   * The word of a node.
   *
   * @param names nodes' names by {@code host:port}
   */
  NodeRole of(String node, long pid, String incarnation, Map<String, String> names, long atNanos) {
    return new NodeRole(
        node,
        pid,
        incarnation,
        role,
        names.getOrDefault(upstream, upstream),
        linkUp,
        offsetBytes,
        followers,
        atNanos);
  }

  /**
   * CPU time of the thread that carries out commands, in nanoseconds: that of all threads where the
   * server does not tell them apart, which seems busier; -1 if it is not reported.
   */
  static long mainThreadNanos(String info) {
    Map<String, String> fields = info(info);
    for (String threads : List.of("_main_thread", "")) {
      double seconds =
          Numbers.doubleOr(fields.get("used_cpu_user" + threads), Double.NaN)
              + Numbers.doubleOr(fields.get("used_cpu_sys" + threads), Double.NaN);
      if (seconds >= 0) {
        return Math.round(seconds * 1e9);
      }
    }
    return -1;
  }

  /** The lines {@code name:value} of INFO. */
  static Map<String, String> info(String text) {
    Map<String, String> fields = new HashMap<>();
    text.lines()
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
              }
            });
    return fields;
  }
}
