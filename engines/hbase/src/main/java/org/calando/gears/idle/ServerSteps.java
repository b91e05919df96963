package org.calando.gears.idle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.calando.control.OffSetting;
import org.calando.control.Patience;
import org.calando.control.ShiftStep;
import org.calando.core.policy.Plan;
import org.calando.gears.Member;
import org.calando.gears.NodeMeans;
import org.calando.gears.Remedies;
import org.calando.gears.idle.IdleState.Left;
import org.calando.gears.idle.IdleState.Shift;
import org.calando.gears.idle.IdleState.Sleeper;
import org.calando.power.onoff.PowerSwitch;
import org.calando.store.hbase.RegionServers;

/** What both directions of a shift have in common. Not thread safe. */
final class ServerSteps {
  private final IdleMeans means;
  private final Shift shift;
  private final Mover mover;

  /** The names of the nodes that go to sleep, or wake. */
  private final Set<String> names;

  /** Their RegionServers. */
  private final List<String> servers;

  /** Those of them that an operator had marked as draining. */
  private final List<String> marked;

  ServerSteps(IdleMeans means, Shift shift, Set<String> names) {
    this.means = means;
    this.shift = shift;
    this.mover = new Mover(means);
    this.names = new TreeSet<>(names);
    this.servers = means.serversOf(names);
    Set<String> drained = new TreeSet<>(names);
    drained.removeIf(name -> !shift.wasDrained(name));
    this.marked = means.serversOf(drained);
  }

  List<String> servers() {
    return servers;
  }

  private RegionServers regions() {
    return means.regions();
  }

  /** The balancer off, while it could move regions back; none if it was off before. */
  Optional<Plan.Action> holdBalancer() {
    return shift.balancer()
        ? Optional.of(
            new ShiftStep(
                "balancer",
                "Have HBase's balancer off meanwhile",
                () -> regions().balancer(false),
                () -> !regions().balancer(),
                () -> regions().balancer(true)))
        : Optional.empty();
  }

  /** The balancer on again, if it was. */
  Optional<Plan.Action> releaseBalancer() {
    return shift.balancer()
        ? Optional.of(
            new ShiftStep(
                "balance",
                "Have HBase's balancer on again",
                () -> regions().balancer(true),
                () -> regions().balancer(),
                () -> regions().balancer(false)))
        : Optional.empty();
  }

  /** The last step: the file says who sleeps. */
  Plan.Action settle(OffSetting from, OffSetting to) {
    return new ShiftStep(
        "settle",
        "Record which nodes are off: " + to.words(),
        () -> write(shift.after(), regions().balancer()),
        () -> IdleState.FILE.read(means.path()).setting().equals(to),
        () -> {
          if (!from.equals(IdleState.FILE.read(means.path()).setting())) {
            write(shift.before(), false);
          }
        });
  }

  private void write(List<Sleeper> asleep, boolean balanced) {
    Left left = IdleState.FILE.read(means.path()).left().without(names);
    boolean owed = !balanced && (left.balancer() || shift.balancer());
    IdleState.FILE.write(
        new IdleState(asleep, Optional.of(shift), new Left(left.nodes(), owed)), means.path());
  }

  /** Moves all regions off the servers. */
  void away() throws InterruptedException {
    regions().drain(servers);
    Set<String> resting = new TreeSet<>(names);
    resting.addAll(IdleState.names(shift.before()));
    mover.away(servers, mover.mayGet(means.others(resting)));
  }

  boolean areEmpty() {
    return mover.areEmpty(servers);
  }

  /** Moves the regions that were on the servers back. */
  void home() throws InterruptedException {
    regions().undrain(servers);
    mover.home(homes());
    regions().drain(marked);
  }

  /** Takes the marks of draining servers off, but for those that an operator had set. */
  void unmark() {
    List<String> ours = new ArrayList<>(servers);
    ours.removeAll(marked);
    regions().undrain(ours);
    regions().drain(marked);
  }

  /** The marks that an operator had set; none if there are none. */
  Optional<Plan.Action> markAgain() {
    return marked.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ShiftStep(
                "drain-again",
                "Have "
                    + String.join(", ", marked)
                    + " get no regions by the master's choice, as before",
                () -> regions().drain(marked),
                () -> regions().drained().containsAll(marked),
                () -> regions().undrain(marked)));
  }

  boolean areHome() {
    return mover.areHome(homes());
  }

  /** Servers by region. */
  private Map<String, String> homes() {
    Map<String, String> homes = new HashMap<>();
    for (String name : names) {
      String server = means.node(name).server();
      shift.homes(name).forEach(region -> homes.put(region, server));
    }
    return homes;
  }

  /** Has the servers running, and waits until the master knows them. */
  void start() throws InterruptedException {
    means.servers().switchOn(servers);
    Patience patience = means.servers().patience();
    patience.await(
        means.servers().news(),
        patience.power(),
        () -> regions().live().containsAll(servers),
        () -> "the master does not know all of " + String.join(", ", servers),
        regions().name(),
        Remedies.SERVER);
  }

  /**
   * Waits until the master knows that servers which are to be started have died: until then it
   * gives their regions to no other, and takes their next processes for the ones before.
   */
  static void awaitEnded(IdleMeans means, List<String> servers) throws InterruptedException {
    NodeMeans nodes = means.servers();
    Supplier<Set<String>> held =
        () -> {
          Set<String> dead = new TreeSet<>(means.regions().live());
          dead.retainAll(servers);
          dead.removeIf(server -> nodes.power(server) != PowerSwitch.State.OFF);
          return dead;
        };
    Supplier<String> missing =
        () -> "the master still considers live, though dead: " + String.join(", ", held.get());
    if (!held.get().isEmpty()) {
      nodes.news().tell("waiting: " + missing.get() + "; until their sessions end");
    }
    nodes
        .patience()
        .await(
            nodes.news(),
            nodes.patience().service(),
            () -> held.get().isEmpty(),
            missing,
            means.regions().name(),
            "see the master's log; the session ends by zookeeper.session.timeout");
  }

  /** As {@link #start}, of servers that may be about to end: they have no regions any more. */
  void startAfresh() throws InterruptedException {
    stop();
    start();
  }

  boolean areRunning() {
    return means.servers().are(servers, PowerSwitch.State.ON)
        && regions().live().containsAll(servers);
  }

  /** Ends the servers, and waits until the master knows that they are gone. */
  void stop() throws InterruptedException {
    means.servers().switchOff(servers);
    Patience patience = means.servers().patience();
    patience.await(
        means.servers().news(),
        patience.power(),
        () -> !anyOf(regions().live()),
        () -> "the master still holds some of " + String.join(", ", servers) + " for live",
        regions().name(),
        "wait until it does not; if it stays so, its log says why");
    // The mark is of a process that is no more; one that is started gets regions again.
    regions().undrain(servers);
  }

  boolean areStopped() {
    return means.servers().are(servers, PowerSwitch.State.OFF)
        && !anyOf(regions().live())
        && !anyOf(regions().drained());
  }

  /** Whether those of the servers that are live get no regions. */
  boolean areDrained() {
    Set<String> live = new TreeSet<>(regions().live());
    live.retainAll(servers);
    return regions().drained().containsAll(live);
  }

  boolean anyOf(Collection<String> some) {
    return servers.stream().anyMatch(some::contains);
  }

  /**
   * A look whether all blocks of HDFS are on nodes that stay.
   *
   * @param off DataNodes that do not
   * @param remedy about a block that is not
   * @param open whether a plan is under way: nothing else may be begun then
   */
  static long requireReadable(
      IdleMeans means, Set<String> off, Set<String> sleeping, String remedy, boolean open)
      throws InterruptedException {
    Remedies.Look look =
        new Remedies.Look(
            "while " + String.join(", ", sleeping) + " sleeps",
            member -> open ? Remedies.SERVER : wake(means, member),
            block -> remedy);
    return means.dataNodes().requireReadable(off, look);
  }

  private static String wake(IdleMeans means, Member dataNode) {
    return means.nodes().stream()
        .filter(node -> node.dataNode().equals(dataNode.name()))
        .findFirst()
        .map(IdleOrders::wake)
        .orElse(Remedies.SERVER);
  }
}
