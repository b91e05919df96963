package org.calando.core.policy.gear;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.calando.core.energy.NodeProfile;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.GearLayout;

/** Models of gears from the layout of the data. Stateless. */
public final class LayoutGears {
  /** Of moving blocks between nodes, as it was measured: see docs/benchmarks.md. */
  private static final double MOVED_BYTES_PER_SECOND = 50e6;

  private static final double MOVE_CPU_SECONDS_PER_BYTE = 2e-8;

  private LayoutGears() {}

  /**
   * A model of nodes that hold blocks of files.
   *
   * @param nodeCapacity operations a second that a node serves, above 0
   * @param offSeconds from the order to power off of a shift down, 0 or more
   */
  public static GearModel ofFiles(
      GearLayout layout, NodeProfile profile, double nodeCapacity, double offSeconds) {
    return of(
        layout,
        profile,
        nodeCapacity,
        offSeconds,
        MOVED_BYTES_PER_SECOND,
        moveJoulesPerByte(profile),
        0);
  }

  /** Joules of moving a byte between two nodes, both ends together. */
  public static double moveJoulesPerByte(NodeProfile profile) {
    return profile.marginalJoulesPerCpuSecond() * MOVE_CPU_SECONDS_PER_BYTE;
  }

  /**
   * A model of equal nodes whose data is laid out so: a gear serves as much as its busiest node
   * can, reads being spread as evenly as the layout allows, and owes what the nodes that it adds
   * are to hold of what is written below it.
   *
   * @param nodeCapacity operations a second that a node serves, above 0
   * @param offSeconds from the order to power off of a shift down, 0 or more
   * @param bytesPerSecond how fast what is owed is moved, above 0
   * @param joulesPerByte of moving it, 0 or more
   * @param capacityShare of the nodes' capacity that moving takes, 0 or more and less than 1
   * @throws IllegalArgumentException if a higher gear serves no more than a lower
   */
  public static GearModel of(
      GearLayout layout,
      NodeProfile profile,
      double nodeCapacity,
      double offSeconds,
      double bytesPerSecond,
      double joulesPerByte,
      double capacityShare) {
    List<Integer> nodesOn = new ArrayList<>();
    List<Double> capacities = new ArrayList<>();
    List<Double> homed = new ArrayList<>();
    for (int gear = 1; gear <= layout.groups().gears(); gear++) {
      nodesOn.add(layout.groups().nodesIn(gear));
      capacities.add(nodeCapacity / busiest(layout, gear));
      homed.add(ofGroup(layout, gear));
    }
    return new GearModel(
        nodesOn,
        Collections.nCopies(layout.groups().nodes(), profile),
        capacities,
        offSeconds,
        new CatchUpModel(homed, bytesPerSecond, joulesPerByte, capacityShare));
  }

  private static double busiest(GearLayout layout, int gear) {
    double busiest = 0;
    for (int node = 1; node <= layout.groups().nodesIn(gear); node++) {
      busiest = Math.max(busiest, layout.served(node, gear));
    }
    return busiest;
  }

  /** The share of all replicas that is on the nodes which a gear adds. */
  private static double ofGroup(GearLayout layout, int gear) {
    GearGroups groups = layout.groups();
    double sum = 0;
    for (int node = gear == 1 ? 1 : groups.nodesIn(gear - 1) + 1;
        node <= groups.nodesIn(gear);
        node++) {
      sum += layout.share(node);
    }
    return sum;
  }
}
