package org.calando.core.observe;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/*
 * The driver learns of a dead node at once if its connections break, and of a stopped or cut-off one
 * only when a heartbeat fails, some 35 seconds later. The canary's own reads tell sooner: a node
 * that left two in a row without an answer, and gave none for as long as the others try to send it a
 * write, is not taken for live until it answers one. One that only paused gets all writes when it goes on, a
 * little late, as the lags tell; one that was away longer lacks some until hints have arrived.
 *
 * A silence tells of one node only while others answer. Where fewer than half of the others do there is too
 * much work, or the fault is on the way to all of them: then none counts as away.
 */
/**
 * What the canary's reads say of each node: whether it answers and how late it is. Nodes are told
 * apart by equality. Thread safe.
 */
final class ReplicaHealth {
  private static final int FAILURES_OF_DEAD = 2;

  /** Cassandra's write_request_timeout: what was not delivered by then is dropped, and hinted. */
  private static final long DROPPED_NANOS = 2_000_000_000L;

  private static final double FIRST_LAG_SECONDS = 0.002;
  private static final double SHORTEST_LAG_SECONDS = 0.0005;
  private static final double WEIGHT = 0.2;

  private final Map<Object, Failing> failing = new HashMap<>();
  private final Map<Object, Long> answeredNanos = new HashMap<>();
  private final Map<Object, Double> lagSeconds = new HashMap<>();

  /** Reads without an answer in a row. */
  private record Failing(int count, long sinceNanos, long untilNanos) {
    boolean isDead() {
      return count >= FAILURES_OF_DEAD && untilNanos - sinceNanos >= DROPPED_NANOS;
    }
  }

  /** Whether a node answers, as far as the canary's reads tell. */
  synchronized boolean isLive(Object node) {
    Failing known = failing.get(node);
    return known == null || !known.isDead() || !othersAnswer(node);
  }

  private boolean othersAnswer(Object node) {
    Set<Object> others = new HashSet<>(answeredNanos.keySet());
    others.addAll(failing.keySet());
    others.remove(node);
    int all = others.size();
    others.removeAll(failing.keySet());
    return 2 * others.size() >= all;
  }

  /**
   * Notes a read that was answered.
   *
   * @param askedNanos when it was asked
   */
  synchronized void answered(Object node, long askedNanos) {
    failing.remove(node);
    answeredNanos.merge(node, askedNanos, (old, added) -> added - old > 0 ? added : old);
  }

  /**
   * Notes an answer to a read that was given up: its node has much to do, and is not silent.
   *
   * @param now when it came
   */
  synchronized void answeredLate(Object node, long now) {
    answered(node, now);
  }

  /**
   * Notes a read that was not answered.
   *
   * @param askedNanos when it was asked
   * @param now when it was given up
   */
  synchronized void failed(Object node, long askedNanos, long now) {
    long since = answeredNanos.getOrDefault(node, askedNanos);
    if (askedNanos - since < 0) {
      return; // one that was asked later has been answered
    }
    failing.merge(
        node,
        new Failing(1, since, now),
        (old, added) -> new Failing(old.count() + 1, old.sinceNanos(), added.untilNanos()));
  }

  /** Notes a lag; only a finite one above 0 tells when to look next time. */
  synchronized void lag(Object node, double seconds) {
    if (seconds > 0 && seconds < Double.POSITIVE_INFINITY) {
      lagSeconds.merge(node, seconds, (old, added) -> old + WEIGHT * (added - old));
    }
  }

  /** The lag to expect, in seconds. */
  synchronized double expectedSeconds(Object node) {
    return Math.max(SHORTEST_LAG_SECONDS, lagSeconds.getOrDefault(node, FIRST_LAG_SECONDS));
  }
}
