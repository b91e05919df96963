package org.calando.gears.idle;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.calando.control.OffSetting;
import org.calando.control.ShiftStep;
import org.calando.core.policy.Plan;
import org.calando.gears.NodeMeans;
import org.calando.gears.Remedies;
import org.calando.gears.idle.IdleState.Shift;
import org.calando.power.onoff.PowerSwitch;

/*
 * Regions go first, as only a server that runs can flush and close them. The DataNode is in maintenance before anything is
 * switched off, so that HDFS copies nothing; then the servers that stay begin new logs, since those that they write were
 * begun on the DataNode, too; and it is looked again whether everything can be read, as blocks were written meanwhile. The
 * RegionServer ends before its DataNode, which it might still write to.
 */
/** The steps that have nodes sleep. */
final class IdleDown {
  private final IdleMeans means;
  private final OffSetting from;
  private final OffSetting to;
  private final ServerSteps steps;
  private final Set<String> going;
  private final List<String> dataNodes;
  private boolean looked;
  private boolean rolled;
  private boolean lookedAgain;

  IdleDown(IdleMeans means, Shift shift) {
    this.means = means;
    this.from = shift.from();
    this.to = shift.to();
    this.going = to.without(from);
    this.steps = new ServerSteps(means, shift, going);
    this.dataNodes = means.dataNodesOf(going);
  }

  List<Plan.Action> steps() {
    List<Plan.Action> list = new ArrayList<>();
    list.add(
        new ShiftStep(
            "readable",
            "Check that every block can be read on DataNodes that stay",
            () -> looked = look() >= 0,
            () -> looked,
            ShiftStep.Act.NOTHING));
    steps.holdBalancer().ifPresent(list::add);
    list.addAll(regionSteps());
    list.addAll(dataNodeSteps());
    list.add(
        new ShiftStep(
            "stop-server",
            "End the RegionServers " + String.join(", ", steps.servers()),
            steps::stop,
            steps::areStopped,
            steps::startAfresh));
    list.add(
        new ShiftStep(
            "off",
            "Switch the DataNodes " + String.join(", ", dataNodes) + " off",
            () -> means.dataNodes().switchOff(dataNodes),
            () -> means.dataNodes().are(dataNodes, PowerSwitch.State.OFF),
            this::onAgain));
    steps.releaseBalancer().ifPresent(list::add);
    list.add(steps.settle(from, to));
    return list;
  }

  private List<Plan.Action> regionSteps() {
    String servers = String.join(", ", steps.servers());
    return List.of(
        new ShiftStep(
            "drain",
            "Let the master assign no more regions to " + servers,
            () -> means.regions().drain(steps.servers()),
            steps::areDrained,
            steps::unmark),
        new ShiftStep(
            "move",
            "Move the regions of " + servers + " to the servers that stay",
            steps::away,
            steps::areEmpty,
            steps::home));
  }

  private List<Plan.Action> dataNodeSteps() {
    NodeMeans nodes = means.dataNodes();
    return List.of(
        new ShiftStep(
            "maintain",
            "Put the DataNodes "
                + String.join(", ", dataNodes)
                + " into maintenance, so that nothing is copied",
            () -> nodes.maintain(means.maintained(to)),
            () -> nodes.areMaintained(means.maintained(to)),
            () -> nodes.maintain(means.maintained(from))),
        new ShiftStep(
            "roll",
            "Let the servers that stay begin new logs, on DataNodes that stay",
            () -> {
              means.others(to.off()).forEach(node -> means.regions().rollLog(node.server()));
              rolled = true;
            },
            () -> rolled,
            ShiftStep.Act.NOTHING),
        new ShiftStep(
            "readable-again",
            "Check again, as blocks were written meanwhile",
            () -> lookedAgain = look() >= 0,
            // Also a plan that is resumed looks again: blocks were written since.
            () -> lookedAgain,
            ShiftStep.Act.NOTHING));
  }

  private long look() throws InterruptedException {
    long blocks =
        ServerSteps.requireReadable(means, means.maintained(to), to.off(), Remedies.COPIES, true);
    means.dataNodes().news().tell(blocks + " blocks can be read on DataNodes that stay");
    return blocks;
  }

  private void onAgain() throws InterruptedException {
    NodeMeans nodes = means.dataNodes();
    Set<String> names = new TreeSet<>(dataNodes);
    // One that a killed process had told to end may still say that it is on.
    nodes.switchOff(dataNodes);
    SortedMap<String, Long> before = nodes.reports(names);
    nodes.switchOn(dataNodes);
    nodes.awaitReport(names, before);
  }
}
