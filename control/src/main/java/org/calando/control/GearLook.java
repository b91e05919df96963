package org.calando.control;

import java.util.List;
import java.util.Optional;
import org.calando.core.policy.Decision;
import org.calando.core.policy.gear.GearObservation;

/**
 * What became of an observation of a gear. Immutable and thread safe.
 *
 * @param decision what was decided, and from what; empty if it came to nothing
 * @param before the gear
 * @param decided the gear that it is to be
 * @param tried whether a shift was ordered
 * @param notNow why nothing was decided, or why a shift was not carried out, or not ordered yet
 *     again: nothing was begun
 * @param inForce what is in force now, in words
 * @param troubles what could not be asked for, one sentence each
 */
public record GearLook(
    Optional<Decision<?>> decision,
    int before,
    int decided,
    boolean tried,
    Optional<String> notNow,
    String inForce,
    List<String> troubles) {
  /** Copies the list. */
  public GearLook {
    troubles = List.copyOf(troubles);
  }

  /** Whether it is in the gear that it was to be in, and was not before. */
  public boolean shifted() {
    return tried && notNow.isEmpty();
  }

  /** The gear now. */
  public int gear() {
    return shifted() ? decided : before;
  }

  /** The load that was observed, in the policy's unit; empty if it is not known. */
  public Optional<Double> load() {
    return seen().flatMap(GearObservation::load).map(GearObservation.Load::perSecond);
  }

  /** Nodes that ought to serve and do not, as far as is known. */
  public int failedNodes() {
    return decision.map(GearLook::failedNodes).orElse(0);
  }

  /** The same; a policy of several knobs decides without a look at the gear, too. */
  static int failedNodes(Decision<?> of) {
    return of.signals().find(GearObservation.GEARS).map(GearObservation::failedNodes).orElse(0);
  }

  /** Why it was decided so. */
  public List<String> reasons() {
    return decision.map(known -> known.step().reasons()).orElse(List.of());
  }

  private Optional<GearObservation> seen() {
    return decision.flatMap(known -> known.signals().find(GearObservation.GEARS));
  }
}
