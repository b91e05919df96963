package org.calando.engine;

import org.calando.core.store.Capable;

/** A capability of clusters with gears: which one they are in. Thread safe. */
public interface GearControl extends Capable {
  /** A capability of a {@link Target} whose gears studies shift. */
  interface Source {
    /**
     * What shifts its gear; what it needs is closed with it, or with the target.
     *
     * @throws org.calando.core.BadRequestException if the cluster is not as its file tells
     * @throws org.calando.core.FailedWorkException if nodes do not answer
     */
    NodeGears gears();
  }

  /** The gear that the cluster is in, or is being shifted to. */
  int gear();

  /** The gear in which all nodes are on. */
  int highest();
}
