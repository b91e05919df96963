package org.calando.engine;

import java.util.function.Consumer;
import org.calando.control.ShiftGovernor;
import org.calando.core.energy.NodeProfile;
import org.calando.core.policy.gear.GearModel;

/**
 * A capability of a {@link Target} of the user's own: groups of its nodes are powered down and up,
 * with all data readable, by plans that outlive the process. Thread safe.
 */
public interface NodeGroups {
  /**
   * Connects; blocks, and shifts nothing.
   *
   * @param profile power profile of nodes
   * @param owner who shifts, for others who are refused
   * @param news takes lines for people, from any thread
   * @throws org.calando.core.BadRequestException if the settings do not fit the cluster, or it has
   *     no groups that can be shifted
   * @throws org.calando.core.FailedWorkException if it cannot be reached
   */
  Gears gears(GearSettings settings, NodeProfile profile, String owner, Consumer<String> news);

  /** A cluster whose gear can be governed. Thread safe. */
  interface Gears extends ShiftGovernor.Of, AutoCloseable {
    /** What is shifted, in words that are the same for each governor of it. */
    String target();

    /** What its policies take it for, in the unit of the load that they go by, such as rows/s. */
    GearModel model();

    @Override
    void close();
  }
}
