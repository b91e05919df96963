package org.calando.session.internal.governed;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.policy.Observation.Missed;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.TableName;

/**
 * What a session reports of a table. Immutable and thread safe.
 *
 * @param write the weakest level of writes that the session knows of
 * @param shares of stale reads that its statements tolerate, the table's own first
 * @param use what it counted since it began
 * @param keys hashes of the keys of a random sample of its operations since the last report, the
 *     lowest bit 1 where it is a write
 * @param shadows what shadow reads found since the last report; their times are ages, 0 or less
 * @param missed what reads missed after a node's return; its time is an age, 0 or less
 * @param reading what reads ask now, by the shares that they tolerate; none of those at the
 *     fallback
 */
public record TableReport(
    TableName table,
    ConsistencyLevel write,
    List<Double> shares,
    TableUse use,
    List<Long> keys,
    List<ShadowSample> shadows,
    Optional<Missed> missed,
    Map<Double, Reading> reading) {
  /** Copies the collections. */
  public TableReport {
    shares = List.copyOf(shares);
    keys = List.copyOf(keys);
    shadows = List.copyOf(shadows);
    reading = Map.copyOf(reading);
  }
}
