package org.calando.engine;

import java.util.function.Consumer;
import org.calando.core.energy.NodeProfile;

/** A capability of a {@link Target} of the user's own: its gears are governed. Thread safe. */
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
  NodeGears gears(GearSettings settings, NodeProfile profile, String owner, Consumer<String> news);
}
