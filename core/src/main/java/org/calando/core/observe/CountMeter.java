package org.calando.core.observe;

import java.util.Optional;

/*
 * A node's counter starts from 0 when the node restarts, or when the table is made anew. A count
 * below the last one tells that, and so does a connection made since: a node that was busy enough
 * after its restart may already be past its old count. Either way the answer is a new baseline, and
 * the last rate stays as old as it is until the next one. The same goes for a clock that was set back.
 */
/**
 * The rate of one cumulative counter of one node, over the time between the node's own answers. Not
 * thread safe.
 */
final class CountMeter {
  /**
   * Answers closer together than this, or than both took, tell no rate: their own jitter would be
   * most of it.
   */
  static final long SHORTEST_NANOS = 20_000_000;

  private boolean hasBaseline;
  private long connection;
  private long baselineNanos;
  private long baselineTookNanos;
  private long baselineCount;
  private Optional<Rate> rate = Optional.empty();

  /**
   * A rate and the time it is of.
   *
   * @param atNanos end of the interval over which was counted
   * @param perSecond 0 or more
   */
  record Rate(long atNanos, double perSecond) {}

  /**
   * Takes an answer.
   *
   * @param newConnection names the connection to the node; another one may be to a restarted node
   * @param atNanos when the count was this
   * @param tookNanos time that the answer took, half of which {@code atNanos} may be wrong by
   * @param count since the node started
   */
  void answered(long newConnection, long atNanos, long tookNanos, long count) {
    long interval = atNanos - baselineNanos;
    boolean continues =
        hasBaseline && connection == newConnection && count >= baselineCount && interval >= 0;
    if (continues) {
      if (interval < Math.max(SHORTEST_NANOS, baselineTookNanos + tookNanos)) {
        return;
      }
      rate = Optional.of(new Rate(atNanos, (count - baselineCount) * 1e9 / interval));
    }
    hasBaseline = true;
    connection = newConnection;
    baselineNanos = atNanos;
    baselineTookNanos = tookNanos;
    baselineCount = count;
  }

  /** The last rate, as old as it is; empty before two answers. */
  Optional<Rate> rate() {
    return rate;
  }
}
