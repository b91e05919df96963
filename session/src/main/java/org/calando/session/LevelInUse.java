package org.calando.session;

import java.util.List;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;

/**
 * What reads of a table use now, and why. Immutable and thread safe.
 *
 * @param tolerated share of stale reads that is tolerated
 * @param choice replicas that reads ask
 * @param level the level of that number of replicas; a share of the reads may use the next one
 * @param safe whether no read is stale at it
 * @param write the weakest level of writes that is declared or was seen
 * @param reasons of the last decision; what prevents one, if something does
 * @param fallback whether reads are at the fallback: no decision holds, or a figure is unknown from
 *     which Calando's policies decide. False where a share of 0 is tolerated and a decision holds,
 *     and at the levels of a policy of the application's own
 * @param unavailable reads of the table so far, or pages of reads, that got no answer in time at
 *     the level chosen for them, and were sent at the application's own level as well; and those
 *     that were sent at it alone, as every second one got none
 */
public record LevelInUse(
    double tolerated,
    ReadChoice choice,
    ConsistencyLevel level,
    boolean safe,
    ConsistencyLevel write,
    List<String> reasons,
    boolean fallback,
    long unavailable) {
  /** Copies the list. */
  public LevelInUse {
    reasons = List.copyOf(reasons);
  }
}
