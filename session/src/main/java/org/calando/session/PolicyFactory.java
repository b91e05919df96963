package org.calando.session;

import org.calando.core.policy.Policy;
import org.calando.core.policy.SafeLevel;

/** Makes the policy that decides for a table. Thread safe. */
@FunctionalInterface
public interface PolicyFactory {
  /**
   * A policy.
   *
   * @param table the table
   * @param tolerated share of stale reads that is tolerated, 0 .. 1
   * @param safe the level at which no read is stale
   * @param local whether reads use LOCAL levels
   */
  Policy<?> policy(TableName table, double tolerated, SafeLevel safe, boolean local);
}
