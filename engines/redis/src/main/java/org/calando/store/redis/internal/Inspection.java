package org.calando.store.redis.internal;

import io.lettuce.core.RedisException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.calando.core.FailedWorkException;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;

/** Questions to the master. Stateless. */
public final class Inspection {
  private Inspection() {}

  /**
   * What the master, or the first of several, says in a section of INFO, by name.
   *
   * @throws FailedWorkException if it does not answer
   */
  public static Map<String, String> info(LiveNodes nodes, String section) {
    try {
      return RoleReply.info(nodes.masters().get(0).sync().info(section));
    } catch (RedisException e) {
      throw new FailedWorkException(
          "no answer of the master: " + Links.reason(e), "INFO " + section, "let the user ask", e);
    }
  }

  /**
   * Waits until every replica is linked and has applied what the master had written at the call.
   *
   * @throws FailedWorkException if it does not happen in time
   */
  public static void awaitReplicas(LiveNodes nodes, Duration deadline) {
    nodes.awaitAllLinked(deadline);
    Map<String, Long> written = written(nodes);
    boolean done =
        LiveNodes.poll(
            () -> {
              nodes.lookAgain();
              return nodes.view().stream().allMatch(view -> has(view, written));
            },
            deadline);
    if (!done) {
      throw new FailedWorkException(
          "replicas lag behind after " + deadline.toSeconds() + " s",
          nodes.nodes().toString(),
          "look at their logs; a slow replica needs more time");
    }
  }

  /** What each master has written, by its name. */
  private static Map<String, Long> written(LiveNodes nodes) {
    Map<String, Long> written = new HashMap<>();
    for (NodeView view : nodes.view()) {
      if (view.role() == Role.MASTER) {
        written.put(view.node(), nodes.offset(view.node()));
      }
    }
    return written;
  }

  private static boolean has(NodeView view, Map<String, Long> written) {
    if (view.role() == Role.MASTER) {
      return true;
    }
    // A replica of a replica has its own master's bytes, too.
    long wanted =
        written.getOrDefault(
            view.word().upstream(),
            written.values().stream().mapToLong(Long::longValue).max().orElse(0));
    return view.role() == Role.REPLICA && view.word().offsetBytes() >= wanted;
  }
}
