package org.calando.session.internal.governed;

import java.util.List;
import java.util.Map;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.TableName;
import org.calando.session.internal.shared.SavedState;

/**
 * What a governor says of a table. Immutable and thread safe.
 *
 * @param replication for which levels are meant, in a word
 * @param write the weakest level of writes that any session knows of
 * @param keyShare share of the operations whose keys are to be reported, 0 .. 1
 * @param leastAckSeconds the least time that a canary's acknowledgement took, 0 or more
 * @param sinceReturnNanos since the last replica that was away is back; below 0 if none is late
 * @param levels by the shares that are tolerated; none of those for which figures are unknown
 * @param lost shares that are tolerated whose reads are at the fallback, as figures are unknown
 *     that were known before, with the reasons; none of those that are not decided yet
 * @param handover where a session begins that has to decide for itself; empty mostly
 */
public record TableLevel(
    TableName table,
    String replication,
    ConsistencyLevel write,
    double keyShare,
    double leastAckSeconds,
    long sinceReturnNanos,
    List<TargetLevel> levels,
    Map<Double, String> lost,
    List<SavedState.Table> handover) {
  /** Copies the collections. */
  public TableLevel {
    levels = List.copyOf(levels);
    lost = Map.copyOf(lost);
    handover = List.copyOf(handover);
  }

  /** Whether it says where a session begins that has to decide for itself. */
  boolean isHandedOver() {
    return !handover.isEmpty();
  }
}
