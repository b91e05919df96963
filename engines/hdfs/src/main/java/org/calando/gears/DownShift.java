package org.calando.gears;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.calando.control.ShiftStep;
import org.calando.core.policy.Plan;
import org.calando.power.onoff.PowerSwitch;

/*
 * Nothing is written to nodes that are about to go before it is looked whether everything can be read without them; they
 * are in maintenance, so that their replicas count on, before it is looked again, as blocks may have been written between
 * the first look and the maintenance; only then they are switched off. At every point between, all data can be read.
 */
/** The steps to a lower gear. */
final class DownShift {
  private final GearMeans means;
  private final GearSetting from;
  private final int to;
  private boolean looked;
  private boolean lookedAgain;

  DownShift(GearMeans means, GearSetting from, int to) {
    this.means = means;
    this.from = from;
    this.to = to;
  }

  List<Plan.Action> steps() {
    Set<String> going = new TreeSet<>(means.between(to, from.gear()));
    List<Plan.Action> steps = new ArrayList<>();
    steps.add(
        new ShiftStep(
            "place",
            "Place new blocks by gear " + to,
            () -> means.setGear(to),
            () -> means.isInForce(to),
            () -> means.setGear(from.gear())));
    steps.add(look("readable", "Check that every block can be read on nodes that stay on", false));
    steps.add(
        new ShiftStep(
            "maintain",
            "Put " + String.join(", ", going) + " into maintenance, so that nothing is copied",
            () -> Services.maintain(means.nodes(), means.offIn(to)),
            () -> Services.areMaintained(means.nodes(), means.offIn(to)),
            () -> Services.maintain(means.nodes(), offBefore())));
    steps.add(look("readable-again", "Check again, as blocks were written meanwhile", true));
    List<String> names = List.copyOf(going);
    Set<String> wereOn = new TreeSet<>(going);
    wereOn.removeAll(from.without());
    steps.add(
        new ShiftStep(
            "off",
            "Switch " + String.join(", ", names) + " off",
            () -> means.nodes().switchOff(names),
            () -> means.nodes().are(names, PowerSwitch.State.OFF),
            () -> {
              SortedMap<String, Long> before = means.nodes().reports(wereOn);
              means.nodes().switchOn(List.copyOf(wereOn));
              Services.awaitReport(means.nodes(), wereOn, before);
            }));
    return steps;
  }

  /** Also those that stayed off in the gear before, when others went on. */
  private Set<String> offBefore() {
    Set<String> off = new TreeSet<>(means.offIn(from.gear()));
    off.addAll(from.without());
    return off;
  }

  private ShiftStep look(String name, String describe, boolean again) {
    return new ShiftStep(
        name,
        describe,
        () -> {
          long blocks =
              Readability.require(
                  means.nodes(), means.offIn(to), Remedies.within(means, from.gear(), to));
          means.news().tell(blocks + " blocks can be read in gear " + to);
          if (again) {
            lookedAgain = true;
          } else {
            looked = true;
          }
        },
        // Also a plan that is resumed looks again: blocks were written since.
        () -> again ? lookedAgain : looked,
        ShiftStep.Act.NOTHING);
  }
}
