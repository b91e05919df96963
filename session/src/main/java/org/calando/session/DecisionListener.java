package org.calando.session;

import org.calando.core.policy.Decision;

/** Is told of every decision, on the loop's thread: must not block. */
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
}
