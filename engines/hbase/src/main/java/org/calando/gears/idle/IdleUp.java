package org.calando.gears.idle;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.calando.control.OffSetting;
import org.calando.control.ShiftStep;
import org.calando.core.policy.Plan;
import org.calando.gears.NodeMeans;
import org.calando.gears.Remedies;
import org.calando.gears.idle.IdleState.Shift;
import org.calando.power.onoff.PowerSwitch;

/*
 * The DataNode first: one that is in service before the NameNode has its report counts as one that lost its blocks. The
 * RegionServer finds it serving then, and its regions' files beside it.
 */
/** The steps that wake nodes. */
final class IdleUp {
  private final IdleMeans means;
  private final Shift shift;
  private final OffSetting from;
  private final OffSetting to;
  private final ServerSteps steps;
  private final List<String> dataNodes;
  private final Set<String> names;

  IdleUp(IdleMeans means, Shift shift) {
    this.means = means;
    this.shift = shift;
    this.from = shift.from();
    this.to = shift.to();
    Set<String> coming = from.without(to);
    this.steps = new ServerSteps(means, shift, coming);
    this.dataNodes = means.dataNodesOf(coming);
    this.names = new TreeSet<>(dataNodes);
  }

  List<Plan.Action> steps() {
    List<Plan.Action> list = new ArrayList<>();
    if (names.isEmpty()) {
      // A plan that was given up left the balancer off, and no more.
      steps.releaseBalancer().ifPresent(list::add);
      list.add(steps.settle(from, to));
      return list;
    }
    list.addAll(dataNodeSteps());
    steps.holdBalancer().ifPresent(list::add);
    list.addAll(serverSteps());
    steps.markAgain().ifPresent(list::add);
    steps.releaseBalancer().ifPresent(list::add);
    list.add(steps.settle(from, to));
    return list;
  }

  private List<Plan.Action> serverSteps() {
    String servers = String.join(", ", steps.servers());
    return List.of(
        new ShiftStep(
            "start-server",
            "Start the RegionServers " + servers,
            steps::start,
            steps::areRunning,
            () -> {
              steps.away();
              steps.stop();
            }),
        new ShiftStep(
            "undrain",
            "Let the master assign regions to " + servers + " again",
            () -> means.regions().undrain(steps.servers()),
            () -> !steps.anyOf(means.regions().drained()),
            ShiftStep.Act.NOTHING),
        new ShiftStep(
            "home",
            "Move the regions that were on " + servers + " back",
            steps::home,
            steps::areHome,
            steps::away));
  }

  private List<Plan.Action> dataNodeSteps() {
    NodeMeans nodes = means.dataNodes();
    String words = "the DataNodes " + String.join(", ", dataNodes);
    return List.of(
        new ShiftStep(
            "on",
            "Switch " + words + " on",
            () -> nodes.switchOn(dataNodes),
            () -> nodes.are(dataNodes, PowerSwitch.State.ON),
            () -> {
              restAgain();
              nodes.switchOff(dataNodes);
            }),
        new ShiftStep(
            "report",
            "Wait for their heartbeats and full block reports",
            () -> nodes.awaitReport(names, shift.reports()),
            () -> nodes.haveReported(names, shift.reports()),
            ShiftStep.Act.NOTHING),
        new ShiftStep(
            "serve",
            "Have " + words + " in service",
            () -> nodes.serve(means.maintained(to), names),
            () -> nodes.doServe(means.maintained(to), names),
            this::restAgain));
  }

  private void restAgain() throws InterruptedException {
    means.dataNodes().maintain(means.maintained(from));
    // Their logs may have been begun on nodes that go back to sleep.
    for (IdleNode node : means.others(from.off())) {
      means.regions().rollLog(node.server());
    }
    long unused =
        ServerSteps.requireReadable(means, means.maintained(from), from.off(), Remedies.BACK, true);
  }
}
