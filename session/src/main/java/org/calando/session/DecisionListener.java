package org.calando.session;

import org.calando.core.policy.Decision;

/**
 * Is told of every decision, and of what prevents sharing, on the loop's thread: must not block.
 */
@FunctionalInterface
public interface DecisionListener {
  /**
   * A decision was made.
   *
   * @param table of which table
   * @param tolerated for reads that tolerate this share of stale ones
   * @param decision what, from what, and why
   */
  void decided(TableName table, double tolerated, Decision<?> decision);

  /**
   * The tables of a keyspace cannot be shared with other instances; called once for each, when the
   * session begins to measure, which may be while it is built. The default does nothing: {@link
   * LevelInUse#reasons} say it too, without the remedy.
   *
   * @param keyspace whose {@code calando_signals} cannot be used
   * @param message why, and how to mend it, in several lines
   */
  default void measuresAlone(String keyspace, String message) {}
}
