package org.calando.gears;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.calando.core.energy.NodeProfile;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.DownShift;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.LayoutGears;

/*
 * DownShift says what going down and coming back costs and saves; here for nodes without load, which draw least and save
 * least of what they could. With load the nodes that stay work more, and the saving is smaller by little: power goes with
 * work, wherever it is done.
 */
/**
 * What a shift takes and saves in joules, modelled from the nodes' profiles without load.
 * Immutable.
 *
 * @param shiftJoules of the nodes that come or go, their boots included, and of the catch-up
 * @param shiftSeconds until the slowest node has booted, or a node is off
 * @param catchUpBytes that wait to be brought home now, as far as the log of off-loaded writes
 *     tells
 * @param savedWatts less in the lower of the two gears than in the higher
 * @param roundTripJoules of going down and coming back up, above staying in the higher gear
 * @param paysAfterSeconds how long the lower gear must last, from the order down to the order up,
 *     until something is saved; infinite if it never does
 */
public record ShiftPrice(
    double shiftJoules,
    double shiftSeconds,
    long catchUpBytes,
    double savedWatts,
    double roundTripJoules,
    double paysAfterSeconds) {
  /**
   * Of a shift.
   *
   * @param profiles of the nodes, in the order of the gear file
   * @param from a gear
   * @param to another gear
   * @param offSeconds from the order to power off of a node
   * @param catchUpBytes that wait to be brought home
   */
  public static ShiftPrice of(
      GearGroups groups,
      List<NodeProfile> profiles,
      int from,
      int to,
      double offSeconds,
      long catchUpBytes) {
    if (from == to) {
      throw new IllegalArgumentException("a shift from gear " + from + " to itself");
    }
    GearModel model = model(groups, profiles, offSeconds);
    DownShift down = DownShift.of(model, Math.max(from, to), Math.min(from, to), 0, 0);
    double moved = to > from ? catchUpBytes * joulesPerByte(profiles) : 0;
    return new ShiftPrice(
        model.changingJoules(from, to) + moved,
        model.shiftSeconds(from, to),
        to > from ? catchUpBytes : 0,
        down.savedWatts(),
        down.shiftJoules(),
        down.breakEvenSeconds());
  }

  /** Without load it does not matter what gears serve, but that higher ones serve more. */
  private static GearModel model(GearGroups groups, List<NodeProfile> profiles, double offSeconds) {
    List<Double> capacities = new ArrayList<>();
    groups.sizes().forEach(nodes -> capacities.add((double) nodes));
    return new GearModel(
        groups.sizes(),
        profiles,
        capacities,
        offSeconds,
        new CatchUpModel(Collections.nCopies(groups.gears(), 0.0), 1, joulesPerByte(profiles), 0));
  }

  private static double joulesPerByte(List<NodeProfile> profiles) {
    return profiles.stream().mapToDouble(LayoutGears::moveJoulesPerByte).average().orElse(0);
  }
}
