package org.calando.engine;

import java.util.function.Consumer;
import org.calando.core.energy.NodeProfile;
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

  /** A capability of a {@link Target} of the user's own: its gears are governed. Thread safe. */
  interface Governed {
    /**
     * Connects; blocks, and shifts nothing.
     *
     * @param profile power profile of nodes
     * @param owner who shifts, for others who are refused
     * @param news takes lines for people, from any thread
     * @throws org.calando.core.BadRequestException if the settings do not fit the cluster, or it
     *     has no groups that can be shifted
     * @throws org.calando.core.FailedWorkException if it cannot be reached
     */
    NodeGears gears(
        GearSettings settings, NodeProfile profile, String owner, Consumer<String> news);
  }

  /** The gear that the cluster is in, or is being shifted to. */
  int gear();

  /** The gear in which all nodes are on. */
  int highest();
}
