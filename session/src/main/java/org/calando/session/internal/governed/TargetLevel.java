package org.calando.session.internal.governed;

import java.util.List;
import java.util.Optional;
import org.calando.core.policy.ReadChoice;

/**
 * The level of the reads of a table that tolerate a share of stale ones. Immutable and thread safe.
 *
 * @param predicted chance of a read of 1, 2, .. replicas to be stale; empty if it is not known
 * @param reasons of the decision
 * @param decided which decision it is; empty of a governor that does not number them
 */
public record TargetLevel(
    double share,
    ReadChoice choice,
    List<Double> predicted,
    List<String> reasons,
    Optional<Numbered> decided) {
  /** Copies the lists. */
  public TargetLevel {
    predicted = List.copyOf(predicted);
    reasons = List.copyOf(reasons);
  }

  /** One that reads are held to while the governor has no figures; it is no decision. */
  public static TargetLevel held(double share, ReadChoice choice) {
    String why = "held as sessions read: the governor has begun, and has no figures yet";
    return new TargetLevel(share, choice, List.of(), List.of(why), Optional.empty());
  }

  /**
   * One of a governor's decisions for another level than before.
   *
   * @param number counted by the governor over all its decisions, from the time in microseconds at
   *     which it began; 1 or more
   * @param ageNanos since then, when the answer was written; 0 or more
   */
  public record Numbered(long number, long ageNanos) {
    /** Refuses what is none. */
    public Numbered {
      if (number < 1 || ageNanos < 0) {
        throw new IllegalArgumentException("decision %d of age %d".formatted(number, ageNanos));
      }
    }
  }
}
