package org.calando.studyfile;

import java.util.List;
import org.calando.core.energy.NodeProfile;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearModel;

/**
 * The gears of a simulated cluster. Immutable and thread safe.
 *
 * @param nodesOn how many nodes are on in gear 1, 2, ..., strictly increasing; the last is all
 * @param nodePerSecond operations a second that a node serves
 */
public record GearNodes(List<Integer> nodesOn, double nodePerSecond) {
  private static final double SIMULATED_OFF_SECONDS = 1;

  /** Copies the list. */
  public GearNodes {
    nodesOn = List.copyOf(nodesOn);
  }

  /** Number of gears. */
  public int gears() {
    return nodesOn.size();
  }

  /** The group of a node, from 0: the first gear in which it is on. */
  public int group(int node) {
    int group = 0;
    while (node >= nodesOn.get(group)) {
      group++;
    }
    return group;
  }

  /** The place of a node in its group, from 0. */
  public int place(int node) {
    int group = group(node);
    return group == 0 ? node : node - nodesOn.get(group - 1);
  }

  /** Nodes of a group, from 0. */
  public int size(int group) {
    return nodesOn.get(group) - (group == 0 ? 0 : nodesOn.get(group - 1));
  }

  /**
   * What policies take the gears for: nodes that are off a second after they were taken out of
   * service, and writes that cost nothing to send once more.
   */
  public GearModel model(NodeProfile profile) {
    return GearModel.ofEqualNodes(
        nodesOn, profile, nodePerSecond, SIMULATED_OFF_SECONDS, CatchUpModel.none(nodesOn.size()));
  }
}
