package org.calando.session.internal.governed;

import java.util.List;
import org.calando.core.policy.ReadChoice;

/**
 * The level of the reads of a table that tolerate a share of stale ones. Immutable and thread safe.
 *
 * @param predicted chance of a read of 1, 2, .. replicas to be stale; empty if it is not known
 * @param reasons of the decision
 */
public record TargetLevel(
    double share, ReadChoice choice, List<Double> predicted, List<String> reasons) {
  /** Copies the lists. */
  public TargetLevel {
    predicted = List.copyOf(predicted);
    reasons = List.copyOf(reasons);
  }
}
