package org.calando.cli;

import java.util.Collections;
import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.layout.gear.GearGroups;
import org.calando.gears.ShiftPrice;

/** What it takes and saves, in joules, to have nodes of one power profile sleep. Stateless. */
final class IdlePrice {
  private IdlePrice() {}

  /**
   * Of a shift.
   *
   * @param from nodes that are awake before
   * @param to nodes that are awake after, another number
   * @param profile name of the nodes' power profile
   * @throws BadRequestException if there is no such profile
   */
  static GearPrice of(int from, int to, String profile) {
    NodeProfile known =
        Profiles.byName(profile)
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "there is no power profile '" + profile + "'",
                        "--profile",
                        "name one of " + String.join(", ", Profiles.names())));
    boolean down = to < from;
    int most = Math.max(from, to);
    ShiftPrice price =
        ShiftPrice.of(
            new GearGroups(List.of(Math.min(from, to), most)),
            Collections.nCopies(most, known),
            down ? 2 : 1,
            down ? 1 : 2,
            0);
    return new GearPrice(price, List.of(known.name()), down);
  }
}
