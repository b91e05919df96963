package org.calando.session.internal;

import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/*
 * The driver learns of a dead node at once if its connections break, and of a stopped or cut-off one
 * only when a heartbeat fails, some 35 seconds later. The canary's own reads tell sooner: a node
 * that left two in a row without an answer is not taken for live until it answers one.
 */
/** What the canary's reads say of each node: whether it answers and how late it is. Thread safe. */
final class ReplicaHealth {
  private static final int FAILURES_OF_DEAD = 2;
  private static final double FIRST_LAG_SECONDS = 0.002;
  private static final double SHORTEST_LAG_SECONDS = 0.0005;
  private static final double WEIGHT = 0.2;

  private final Map<UUID, Integer> failures = new HashMap<>();
  private final Map<UUID, Double> lagSeconds = new HashMap<>();

  synchronized boolean isLive(Node node) {
    return mayAnswer(node) && failures.getOrDefault(node.getHostId(), 0) < FAILURES_OF_DEAD;
  }

  /** Whether it is worth to ask a node at all. */
  static boolean mayAnswer(Node node) {
    return !Nodes.isDown(node) && Nodes.mayBeAsked(node);
  }

  synchronized void answered(Node node) {
    failures.remove(node.getHostId());
  }

  synchronized void failed(Node node) {
    failures.merge(node.getHostId(), 1, Integer::sum);
  }

  /** Notes a lag; only a finite one above 0 tells when to look next time. */
  synchronized void lag(Node node, double seconds) {
    if (seconds > 0 && seconds < Double.POSITIVE_INFINITY) {
      lagSeconds.merge(node.getHostId(), seconds, (old, added) -> old + WEIGHT * (added - old));
    }
  }

  /** The lag to expect, in seconds. */
  synchronized double expectedSeconds(Node node) {
    return Math.max(
        SHORTEST_LAG_SECONDS, lagSeconds.getOrDefault(node.getHostId(), FIRST_LAG_SECONDS));
  }
}
