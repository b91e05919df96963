package org.calando.gears;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.calando.control.ShiftStep;
import org.calando.core.policy.Plan;
import org.calando.power.onoff.PowerSwitch;

/*
 * A node that is in service before the name server has its report counts as one that lost all its blocks: they would be
 * copied, and the layout would be gone. So: on, heard of, all blocks reported, and only then in service.
 */
/** The steps to a higher gear, or of bringing blocks home in the gear that it is in. */
final class UpShift {
  private final GearMeans means;
  private final GearSetting from;
  private final GearSetting to;
  private final CatchUp catchUp;

  UpShift(GearMeans means, GearSetting from, GearSetting to) {
    this.means = means;
    this.from = from;
    this.to = to;
    this.catchUp = new CatchUp(means, to.gear(), to.without());
  }

  /** In maintenance then: what is off in the gear, and what stays off all the same. */
  private Set<String> off() {
    Set<String> off = new TreeSet<>(means.offIn(to.gear()));
    off.addAll(to.without());
    return off;
  }

  /** In maintenance before: what is to come was. */
  private Set<String> offBefore() {
    Set<String> off = off();
    off.addAll(to.reports().keySet());
    return off;
  }

  private void requireReadableBefore() throws InterruptedException {
    long unused =
        Readability.require(means.nodes(), offBefore(), Remedies.back(means, from.gear()));
  }

  List<Plan.Action> steps() {
    Set<String> back = to.reports().keySet();
    List<String> coming = means.file().nodes().stream().filter(back::contains).toList();
    List<Plan.Action> steps = new ArrayList<>();
    if (!coming.isEmpty()) {
      Set<String> names = new TreeSet<>(coming);
      steps.add(
          new ShiftStep(
              "on",
              "Switch " + String.join(", ", coming) + " on",
              () -> means.nodes().switchOn(coming),
              () -> means.nodes().are(coming, PowerSwitch.State.ON),
              () -> {
                // They may be in service all the same: somebody had them on before.
                Services.maintain(means.nodes(), offBefore());
                requireReadableBefore();
                means.nodes().switchOff(coming);
              }));
      steps.add(
          new ShiftStep(
              "report",
              "Wait for their heartbeats and full block reports",
              () -> Services.awaitReport(means.nodes(), names, to.reports()),
              () -> Services.haveReported(means.nodes(), names, to.reports()),
              ShiftStep.Act.NOTHING));
      steps.add(
          new ShiftStep(
              "serve",
              "Have " + String.join(", ", coming) + " in service",
              () -> Services.serve(means.nodes(), off(), names),
              () -> Services.doServe(means.nodes(), off(), names),
              () -> {
                Services.maintain(means.nodes(), offBefore());
                requireReadableBefore();
              }));
      steps.add(
          new ShiftStep(
              "place",
              "Place new blocks by gear " + to.gear(),
              () -> {
                // A NameNode that was started again meanwhile knows nothing of them any more.
                Services.awaitReport(means.nodes(), names, to.reports());
                means.setGear(to.gear());
              },
              () -> means.isInForce(to.gear()),
              () -> means.setGear(from.gear())));
    } else {
      steps.add(
          new ShiftStep(
              "serve",
              "Write to the hosts file what is on in gear " + to.gear(),
              () -> Services.maintain(means.nodes(), off()),
              () -> Services.areMaintained(means.nodes(), off()),
              ShiftStep.Act.NOTHING));
    }
    steps.add(
        new ShiftStep(
            "catch-up",
            "Move home what was written while nodes were off",
            catchUp::run,
            catchUp::isDone,
            ShiftStep.Act.NOTHING));
    return steps;
  }
}
