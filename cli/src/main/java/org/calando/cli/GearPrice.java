package org.calando.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.layout.gear.GearGroups;
import org.calando.gears.GearStatus;
import org.calando.gears.ShiftPrice;

/**
 * What a planned shift takes and saves in joules, for people and programs.
 *
 * @param price of the shift
 * @param profiles names of the nodes' power profiles
 * @param down whether the shift is one down
 * @param bare whether it is of boots and ends of nodes alone, and what else it takes is not known
 */
record GearPrice(ShiftPrice price, List<String> profiles, boolean down, boolean bare) {
  private static final double MINUTE_SECONDS = 60;
  private static final double HOUR_SECONDS = 3600;

  /**
   * Of a shift.
   *
   * @param status how the cluster is
   * @param named profiles of nodes, by name, where they have one of their own
   * @param otherwise name of the others' profile
   * @param offSeconds from the order to power off of a node
   * @throws BadRequestException if there is no such profile
   */
  static GearPrice of(
      GearStatus status, Map<String, String> named, String otherwise, int to, double offSeconds) {
    List<NodeProfile> profiles = new ArrayList<>();
    for (String node : status.file().nodes()) {
      profiles.add(profile(named.getOrDefault(node, otherwise), "node " + node));
    }
    long waiting =
        status.blocks() == 0 ? 0 : status.misplaced().pending() * status.bytes() / status.blocks();
    ShiftPrice price =
        ShiftPrice.of(
            status.file().layout().groups(),
            profiles,
            status.file().gear(),
            to,
            offSeconds,
            waiting);
    List<String> names =
        List.copyOf(new TreeSet<>(profiles.stream().map(NodeProfile::name).toList()));
    return new GearPrice(price, names, to < status.file().gear(), false);
  }

  /**
   * Of a shift of racks, of which nobody knows beforehand how long drains take, nor how many hints
   * there will be.
   *
   * @param staying names of nodes that are on before and after
   * @param moving names of those that come or go
   * @param named profiles of nodes, by name, where they have one of their own
   * @param otherwise name of the others' profile
   * @param offSeconds from the order to power off of a node
   * @throws BadRequestException if there is no such profile
   */
  static GearPrice ofRacks(
      List<String> staying,
      List<String> moving,
      Map<String, String> named,
      String otherwise,
      boolean down,
      double offSeconds) {
    List<NodeProfile> profiles = new ArrayList<>();
    for (String node : Stream.concat(staying.stream(), moving.stream()).toList()) {
      profiles.add(profile(named.getOrDefault(node, otherwise), "node " + node));
    }
    GearGroups groups = new GearGroups(List.of(staying.size(), profiles.size()));
    return new GearPrice(
        ShiftPrice.of(groups, profiles, down ? 2 : 1, down ? 1 : 2, offSeconds, 0),
        List.copyOf(new TreeSet<>(profiles.stream().map(NodeProfile::name).toList())),
        down,
        true);
  }

  /**
   * Of nodes of one power profile.
   *
   * @param from nodes that are on before
   * @param to nodes that are on after, another number
   * @param profile name of the nodes' power profile
   * @param offSeconds from the order to power off of a node
   * @throws BadRequestException if there is no such profile
   */
  static GearPrice of(int from, int to, String profile, double offSeconds) {
    NodeProfile known = profile(profile, "--profile");
    boolean down = to < from;
    int most = Math.max(from, to);
    GearGroups groups = new GearGroups(List.of(Math.min(from, to), most));
    List<NodeProfile> nodes = Collections.nCopies(most, known);
    return new GearPrice(
        ShiftPrice.of(groups, nodes, down ? 2 : 1, down ? 1 : 2, offSeconds, 0),
        List.of(known.name()),
        down,
        false);
  }

  private static NodeProfile profile(String name, String where) {
    return Profiles.byName(name)
        .orElseThrow(
            () ->
                new BadRequestException(
                    "there is no power profile '" + name + "'",
                    where,
                    "name one of " + String.join(", ", Profiles.names())));
  }

  /** Adds it to an answer. */
  void addTo(ObjectNode answer, List<String> forPeople) {
    forPeople.addAll(lines());
    ObjectNode json = answer.putObject("energy");
    json.put("provenance", "modelled");
    profiles.forEach(json.putArray("profiles")::add);
    json.put("shift_j", price.shiftJoules());
    json.put("shift_s", bare ? null : (Double) price.shiftSeconds());
    json.put("catch_up_bytes", bare ? null : (Long) price.catchUpBytes());
    if (bare) {
      json.put("leaves_out", "drain, hints, their delivery and repairs");
    }
    json.put("saved_w", price.savedWatts());
    json.put("round_trip_j", price.roundTripJoules());
    if (Double.isFinite(price.paysAfterSeconds())) {
      json.put("pays_after_s", price.paysAfterSeconds());
    } else {
      json.putNull("pays_after_s");
    }
  }

  /** In lines of at most 80 characters. */
  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("joules, modelled by profile " + String.join(", ", profiles) + ", without load:");
    lines.add(
        bare
            ? "  this shift at least %s, without drain, hints, their delivery and repairs"
                .formatted(joules(price.shiftJoules()))
            : "  this shift about %s, of %s%s"
                .formatted(
                    joules(price.shiftJoules()),
                    time(price.shiftSeconds()),
                    down ? "" : " of boot, and what it brings home"));
    lines.add(
        String.format(
            Locale.ROOT,
            "  the lower gear draws %.0f W less; down and up again cost %s%s",
            price.savedWatts(),
            bare ? "at least " : "",
            joules(price.roundTripJoules())));
    lines.add(
        Double.isFinite(price.paysAfterSeconds())
            ? "  so it has to last " + time(price.paysAfterSeconds()) + " to be worth it"
            : "  so it is never worth it");
    return lines;
  }

  private static String joules(double joules) {
    return joules < 10_000
        ? String.format(Locale.ROOT, "%.0f J", joules)
        : String.format(Locale.ROOT, "%.0f kJ", joules / 1000);
  }

  private static String time(double seconds) {
    if (seconds < 2 * MINUTE_SECONDS) {
      return String.format(Locale.ROOT, "%.0f s", seconds);
    }
    return seconds < 2 * HOUR_SECONDS
        ? String.format(Locale.ROOT, "%.0f min", seconds / MINUTE_SECONDS)
        : String.format(Locale.ROOT, "%.1f h", seconds / HOUR_SECONDS);
  }
}
