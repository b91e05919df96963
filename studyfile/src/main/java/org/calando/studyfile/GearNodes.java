package org.calando.studyfile;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.calando.core.energy.NodeProfile;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearModel;

/**
 * The gears of a simulated cluster, whose nodes are in groups that hold a replica of everything
 * each. Immutable and thread safe.
 *
 * @param upTo how many nodes the first group has, the first two, ..., strictly increasing
 * @param lowest how many groups are on in gear 1, 1 or more; in each higher gear one more is
 * @param byTurns whether nodes are dealt to groups by turns; otherwise the first ones are the first
 *     group
 * @param nodePerSecond operations a second that a node serves; empty if nobody says so, and only
 *     fixed gears are possible
 */
public record GearNodes(
    List<Integer> upTo, int lowest, boolean byTurns, Optional<Double> nodePerSecond) {
  /** Fixed gears do not go by it. */
  private static final double ANY_CAPACITY = 1;

  /** Copies the list. */
  public GearNodes {
    upTo = List.copyOf(upTo);
  }

  /** Those of a real cluster with as many racks as copies: as many stay on as a quorum needs. */
  public static GearNodes ofRacks(int nodes, int racks, Optional<Double> nodePerSecond) {
    List<Integer> upTo =
        IntStream.rangeClosed(1, racks)
            .mapToObj(first -> nodes / racks * first + Math.min(nodes % racks, first))
            .toList();
    return new GearNodes(upTo, racks / 2 + 1, true, nodePerSecond);
  }

  /** How many nodes are on in gear 1, 2, ...; in the last gear all are. */
  public List<Integer> nodesOn() {
    return upTo.subList(lowest - 1, upTo.size());
  }

  /** Number of gears. */
  public int gears() {
    return groups() - lowest + 1;
  }

  /** Number of groups. */
  public int groups() {
    return upTo.size();
  }

  /** Replicas of everything that are on in a gear. */
  public int copies(int gear) {
    return lowest - 1 + gear;
  }

  /** The group of a node, from 0. */
  public int group(int node) {
    if (byTurns) {
      return node % groups();
    }
    int group = 0;
    while (node >= upTo.get(group)) {
      group++;
    }
    return group;
  }

  /** The place of a node in its group, from 0. */
  public int place(int node) {
    if (byTurns) {
      return node / groups();
    }
    int group = group(node);
    return group == 0 ? node : node - upTo.get(group - 1);
  }

  /** Nodes of a group, from 0. */
  public int size(int group) {
    return upTo.get(group) - (group == 0 ? 0 : upTo.get(group - 1));
  }

  /**
   * What policies take the gears for: nodes that are off some time after the order, and writes that
   * cost nothing to send once more. Where nobody says what a node serves only fixed gears have it.
   */
  public GearModel model(NodeProfile profile, double offSeconds) {
    return GearModel.ofEqualNodes(
        nodesOn(),
        profile,
        nodePerSecond.orElse(ANY_CAPACITY),
        offSeconds,
        CatchUpModel.none(gears()));
  }
}
