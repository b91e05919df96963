package org.calando.session.internal;

import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/*
 * The driver learns of a dead node at once if its connections break, and of a stopped or cut-off one
 * only when a heartbeat fails, some 35 seconds later. The canary's own reads tell sooner: a node
 * that left two in a row without an answer, and gave none for as long as the others try to send it a
 * write, is not taken for live until it answers one. One that only paused gets all writes when it goes on, a
 * little late, as the lags tell; one that was away longer lacks some until hints have arrived.
 */
/** What the canary's reads say of each node: whether it answers and how late it is. Thread safe. */
final class ReplicaHealth {
  private static final int FAILURES_OF_DEAD = 2;

  /** Cassandra's write_request_timeout: what was not delivered by then is dropped, and hinted. */
  private static final long DROPPED_NANOS = 2_000_000_000L;

  private static final double FIRST_LAG_SECONDS = 0.002;
  private static final double SHORTEST_LAG_SECONDS = 0.0005;
  private static final double WEIGHT = 0.2;

  private final Map<UUID, Failing> failing = new HashMap<>();
  private final Map<UUID, Long> answeredNanos = new HashMap<>();
  private final Map<UUID, Double> lagSeconds = new HashMap<>();

  /** Reads without an answer in a row. */
  private record Failing(int count, long sinceNanos, long untilNanos) {
    boolean isDead() {
      return count >= FAILURES_OF_DEAD && untilNanos - sinceNanos >= DROPPED_NANOS;
    }
  }

  synchronized boolean isLive(Node node) {
    Failing known = failing.get(node.getHostId());
    return mayAnswer(node) && (known == null || !known.isDead());
  }

  /** Whether it is worth to ask a node at all. */
  static boolean mayAnswer(Node node) {
    return !Nodes.isDown(node) && Nodes.mayBeAsked(node);
  }

  /**
   * Notes a read that was answered.
   *
   * @param askedNanos when it was asked
   */
  synchronized void answered(Node node, long askedNanos) {
    failing.remove(node.getHostId());
    answeredNanos.merge(
        node.getHostId(), askedNanos, (old, added) -> added - old > 0 ? added : old);
  }

  /**
   * Notes a read that was not answered.
   *
   * @param askedNanos when it was asked
   * @param now when it was given up
   */
  synchronized void failed(Node node, long askedNanos, long now) {
    long since = answeredNanos.getOrDefault(node.getHostId(), askedNanos);
    if (askedNanos - since < 0) {
      return; // one that was asked later has been answered
    }
    failing.merge(
        node.getHostId(),
        new Failing(1, since, now),
        (old, added) -> new Failing(old.count() + 1, old.sinceNanos(), added.untilNanos()));
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
