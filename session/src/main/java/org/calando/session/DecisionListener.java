package org.calando.session;

import java.time.Duration;
import org.calando.core.policy.Decision;
import org.calando.core.policy.ReadChoice;

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
   * A level that a governor decided is in force for this session's reads: called once for each of
   * its decisions that arrives, and again when it decides again after it was silent. Not called
   * where the governor is of a version that does not number its decisions. The default does
   * nothing.
   *
   * @param table of which table
   * @param tolerated for reads that tolerate this share of stale ones
   * @param choice what they read
   * @param number of the decision, the same for all sessions: the governor counts its decisions for
   *     another level than before, of all tables, from the time in microseconds at which it began
   * @param age how long ago it was decided when the governor answered, by its clock
   */
  default void governed(
      TableName table, double tolerated, ReadChoice choice, long number, Duration age) {}

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
