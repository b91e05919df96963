package org.calando.knob;

import java.util.Optional;
import org.calando.control.shift.GearShifts;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.store.Capable;

/** The gear of a run's cluster, for what decides on more than it. Thread safe. */
public interface RunShifts extends GearShifts {
  /** A capability of a run's cluster that has gears. */
  @FunctionalInterface
  interface Source extends Capable {
    /**
     * Begins: from now on the run's gear may be shifted, and it ends with all nodes on. Once in a
     * run.
     */
    RunShifts begin();
  }

  /**
   * What was seen of the gear last, and begins to look anew; does not block.
   *
   * @return empty before the first look has ended. While a plan is open that nobody carries out a
   *     node counts as failed at least, for it is not known which serve
   */
  Optional<GearObservation> look();

  /** Whether nodes go or come now, so that what a replica lacks is not known. */
  boolean isShifting();
}
