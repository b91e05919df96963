package org.calando.core.policy.gear;

import java.util.Collections;
import java.util.List;
import org.calando.core.energy.NodeProfile;

/*
 * The nodes 1 .. n(g) are on in gear g, and share its load evenly: each is busy for the share
 * load / capacity(g) of its cores, at most wholly. Nodes that are off draw their off power.
 *
 * A shift up takes as long as the slowest of its nodes boots. Those draw boot power until they are
 * up, and idle power until the last is; meanwhile the lower gear serves. A shift down takes the
 * off-time, in which the nodes that leave draw idle power and serve nothing: profiles have no
 * figures of their own for it. Both are spread evenly over the shift here, which leaves the energy
 * as it is and lets one number stand for each shift's power.
 */
/** Power and capacity of each gear, and power and time of shifts. Immutable and thread safe. */
public final class GearModel {
  private final List<Integer> nodesOn;

  /** From the order to power off of a node that is a process: the looks before, and its end. */
  public static final double PROCESS_OFF_SECONDS = 5;

  /** The same of a node that is a machine. */
  public static final double MACHINE_OFF_SECONDS = 30;

  private static final String OPERATIONS = "ops/s";

  private final List<NodeProfile> nodes;
  private final List<Double> capacities;
  private final double offSeconds;
  private final CatchUpModel catchUp;
  private final String unit;

  /**
   * A model.
   *
   * @param nodesOn how many nodes are on in gear 1, 2, ..., strictly increasing, 1 or more
   * @param nodes profiles of nodes 1, 2, ..., as many as are on in the last gear
   * @param capacities operations a second that each gear serves within what its clients were
   *     promised, above 0 and strictly increasing
   * @param offSeconds from the order to power off of a shift down, 0 or more
   * @param catchUp what new data costs that is written in low gears
   */
  public GearModel(
      List<Integer> nodesOn,
      List<NodeProfile> nodes,
      List<Double> capacities,
      double offSeconds,
      CatchUpModel catchUp) {
    this(nodesOn, nodes, capacities, offSeconds, catchUp, OPERATIONS);
  }

  private GearModel(
      List<Integer> nodesOn,
      List<NodeProfile> nodes,
      List<Double> capacities,
      double offSeconds,
      CatchUpModel catchUp,
      String unit) {
    this.unit = unit;
    this.nodesOn = List.copyOf(nodesOn);
    this.nodes = List.copyOf(nodes);
    this.capacities = List.copyOf(capacities);
    this.offSeconds = offSeconds;
    this.catchUp = catchUp;
    requireIncreasing(this.nodesOn);
    requireIncreasing(this.capacities);
    int gears = this.nodesOn.size();
    if (gears == 0
        || this.nodesOn.get(gears - 1) != this.nodes.size()
        || this.capacities.size() != gears
        || catchUp.homedPerByte().size() != gears
        || !(offSeconds >= 0 && Double.isFinite(offSeconds))) {
      throw new IllegalArgumentException(
          "gears of %s nodes for %d nodes, %d capacities, %d groups, off in %s s"
              .formatted(
                  nodesOn,
                  nodes.size(),
                  capacities.size(),
                  catchUp.homedPerByte().size(),
                  offSeconds));
    }
  }

  /**
   * A model of equal nodes, each of which adds the same capacity.
   *
   * @param nodesOn how many nodes are on in gear 1, 2, ...
   * @param profile of every node
   * @param nodeCapacity operations a second that a node serves, above 0
   */
  public static GearModel ofEqualNodes(
      List<Integer> nodesOn,
      NodeProfile profile,
      double nodeCapacity,
      double offSeconds,
      CatchUpModel catchUp) {
    return new GearModel(
        nodesOn,
        Collections.nCopies(nodesOn.get(nodesOn.size() - 1), profile),
        nodesOn.stream().map(count -> count * nodeCapacity).toList(),
        offSeconds,
        catchUp);
  }

  /**
   * The same of loads and capacities in another unit.
   *
   * @param newUnit such as MB/s
   */
  public GearModel in(String newUnit) {
    return new GearModel(nodesOn, nodes, capacities, offSeconds, catchUp, newUnit);
  }

  /** What loads and capacities are in; operations a second if nobody says otherwise. */
  public String unit() {
    return unit;
  }

  private static <N extends Number> void requireIncreasing(List<N> values) {
    double last = 0;
    for (N value : values) {
      if (!(value.doubleValue() > last && Double.isFinite(value.doubleValue()))) {
        throw new IllegalArgumentException("not strictly increasing from above 0: " + values);
      }
      last = value.doubleValue();
    }
  }

  /** Number of gears, which is that of the highest. */
  public int highest() {
    return nodesOn.size();
  }

  /** Nodes that are on in a gear. */
  public int nodesOn(int gear) {
    return nodesOn.get(gear - 1);
  }

  /** Profiles of all nodes, in their order. */
  public List<NodeProfile> nodes() {
    return nodes;
  }

  /** Operations a second that a gear serves. */
  public double capacity(int gear) {
    return capacities.get(gear - 1);
  }

  /** Seconds from the order to power off of a shift down. */
  public double offSeconds() {
    return offSeconds;
  }

  /** What new data costs that is written in low gears. */
  public CatchUpModel catchUp() {
    return catchUp;
  }

  /**
   * The lowest gear that serves a load; the highest, if none does.
   *
   * @param perSecond operations a second
   * @param free share of its capacity that is to stay free, less than 1
   */
  public int lowestFor(double perSecond, double free) {
    int gear = 1;
    while (gear < highest() && !(perSecond <= capacity(gear) * (1 - free))) {
      gear++;
    }
    return gear;
  }

  /** Power of all nodes, in watts, in a gear that serves a load in operations a second. */
  public double watts(int gear, double perSecond) {
    return onWatts(gear, perSecond) + offWatts(gear);
  }

  /** Power of the nodes that are off in a gear, in watts. */
  public double offWatts(int gear) {
    double sum = 0;
    for (NodeProfile node : changing(gear, highest())) {
      sum += node.offWatts();
    }
    return sum;
  }

  /** Seconds that a shift takes from one gear to another; 0 to the same. */
  public double shiftSeconds(int from, int to) {
    if (to < from) {
      return offSeconds;
    }
    double longest = 0;
    for (NodeProfile node : changing(from, to)) {
      longest = Math.max(longest, node.bootSeconds());
    }
    return longest;
  }

  /** Mean power of all nodes, in watts, during a shift that takes any time. */
  public double shiftWatts(int from, int to, double perSecond) {
    int serving = Math.min(from, to);
    return onWatts(serving, perSecond)
        + changingJoules(from, to) / shiftSeconds(from, to)
        + offWatts(Math.max(from, to));
  }

  /** Energy during a shift of those nodes alone that are switched on or off, in joules. */
  public double changingJoules(int from, int to) {
    double seconds = shiftSeconds(from, to);
    double joules = 0;
    for (NodeProfile node : changing(from, to)) {
      double boot = to > from ? node.bootSeconds() : 0;
      joules += boot * node.bootWatts() + (seconds - boot) * node.idleWatts();
    }
    return joules;
  }

  private double onWatts(int gear, double perSecond) {
    double share = Math.min(1, perSecond / capacity(gear));
    double sum = 0;
    for (NodeProfile node : nodes.subList(0, nodesOn(gear))) {
      sum += node.watts(share);
    }
    return sum;
  }

  private List<NodeProfile> changing(int from, int to) {
    return nodes.subList(nodesOn(Math.min(from, to)), nodesOn(Math.max(from, to)));
  }
}
