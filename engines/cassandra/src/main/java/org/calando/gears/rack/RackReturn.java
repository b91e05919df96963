package org.calando.gears.rack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.calando.gears.rack.RackState.Kept;
import org.calando.power.onoff.PowerSwitch;
import org.calando.store.cassandra.gear.NodeSight;

/*
 * A node that was off lacks what was written meanwhile. Others have hints for it, which they lose with their disks, with a
 * kill before they are flushed, and beyond their window. So it is believed only where none of that can have happened;
 * else all its ranges are compared with their other replicas.
 */
/** Has nodes back that were off, with all that was written meanwhile. Stateless. */
final class RackReturn {
  private static final String LOGS = "see the nodes' system.log";

  /** Of what a night of writes takes to be delivered, at the slow rate that Cassandra has. */
  private static final Duration LONGEST = Duration.ofHours(24);

  private RackReturn() {}

  /** Whether nodes, and all others that are to be on, hold each other to be up. */
  static boolean haveJoined(RackMeans means, RackState state, Collection<String> on) {
    List<NodeSight> sights = means.sights(on);
    Set<String> ids = new TreeSet<>();
    on.forEach(name -> ids.add(state.hostId(name)));
    return sights.size() == on.size()
        && sights.stream()
            .allMatch(
                sight -> sight.mode().equals(NodeSight.NORMAL) && sight.live().containsAll(ids));
  }

  /** Waits until they have. */
  static void join(RackMeans means, RackState state, Collection<String> on, List<String> coming)
      throws InterruptedException {
    means
        .patience()
        .await(
            means.board().news(),
            means.patience().power(),
            () -> haveJoined(means, state, on),
            () -> "not all nodes hold " + String.join(", ", coming) + " to be up",
            means.servers().target(),
            LOGS);
  }

  /** Whether nodes answer, and take no requests of clients. */
  static boolean areHeld(RackMeans means, List<String> coming) {
    List<NodeSight> sights = means.sights(coming);
    return sights.size() == coming.size() && sights.stream().noneMatch(NodeSight::serves);
  }

  /**
   * Has nodes take no requests of clients as soon as they would: what they lack they must not tell
   * those that have them for coordinators.
   */
  static void hold(RackMeans means, List<String> coming) throws InterruptedException {
    means
        .patience()
        .await(
            means.board().news(),
            means.patience().power(),
            () -> {
              means.sights(coming).stream()
                  .filter(NodeSight::serves)
                  .forEach(sight -> means.servers().serve(sight.node().name(), false));
              return areHeld(means, coming);
            },
            () -> "not all of " + String.join(", ", coming) + " answer",
            means.servers().target(),
            LOGS);
  }

  /** Whether no node has hints for those that have come. */
  static boolean areDelivered(
      RackMeans means, RackState state, Collection<String> on, List<String> coming) {
    Set<String> ids = new TreeSet<>();
    coming.forEach(name -> ids.add(state.hostId(name)));
    List<NodeSight> sights = means.sights(on);
    return sights.size() == on.size() && sights.stream().noneMatch(sight -> owes(sight, ids));
  }

  private static boolean owes(NodeSight sight, Set<String> ids) {
    Set<String> owed = new TreeSet<>(sight.hints().targets());
    boolean others = !ids.containsAll(owed);
    owed.retainAll(ids);
    // What is waiting may be for racks that stay off, of which files tell.
    return !owed.isEmpty() || (sight.hints().waiting() > 0 && !others);
  }

  /** Waits until all hints are delivered; nodes begin to do so each ten seconds by themselves. */
  static void deliver(RackMeans means, RackState state, Collection<String> on, List<String> coming)
      throws InterruptedException {
    means
        .patience()
        .await(
            means.board().news(),
            LONGEST,
            () -> areDelivered(means, state, on, coming),
            () -> waiting(means, on) + " hints are still to be delivered",
            means.servers().target(),
            "wait; nodetool sethintedhandoffthrottlekb has them go faster");
  }

  private static long waiting(RackMeans means, Collection<String> on) {
    return means.sights(on).stream().mapToLong(sight -> Math.max(0, sight.hints().waiting())).sum();
  }

  /** Proves that nodes have all that was written while they were off, or has it repaired. */
  static void prove(RackMeans means, RackState state, Collection<String> on, List<String> coming)
      throws InterruptedException {
    List<String> doubts = doubts(means, state.kept());
    if (doubts.isEmpty()) {
      means.tell("all hints are delivered, and none was lost");
      return;
    }
    List<NodeSight> sights = means.all(on);
    List<String> keyspaces = keyspaces(means, sights);
    for (String node : coming) {
      means.tell("repairing " + node + ", as " + String.join("; ", doubts));
      means.servers().repair(node, keyspaces);
    }
  }

  private static List<String> keyspaces(RackMeans means, List<NodeSight> sights) {
    return means.servers().replicas(sights).relied().stream()
        .map(keyspace -> keyspace.keyspace())
        .toList();
  }

  /** Why hints may have been lost; none if they cannot. */
  private static List<String> doubts(RackMeans means, SortedMap<String, Kept> kept) {
    List<String> doubts = new ArrayList<>();
    for (NodeSight sight : means.all(kept.keySet())) {
      String name = sight.node().name();
      Kept before = kept.getOrDefault(name, new Kept(0, 0, 0));
      if (sight.startMillis() != before.startMillis()) {
        doubts.add(name + " has started again, and may have lost hints that were not on its disk");
      } else if (sight.hints().notKept() != before.notKept()) {
        doubts.add(
            "%s kept no hints for %d writes"
                .formatted(name, sight.hints().notKept() - before.notKept()));
      }
    }
    return doubts;
  }

  /** Has nodes take requests of clients. */
  static void serve(RackMeans means, List<String> coming) {
    coming.stream()
        .filter(name -> means.servers().sight(name).filter(NodeSight::serves).isEmpty())
        .forEach(name -> means.servers().serve(name, true));
  }

  static boolean doServe(RackMeans means, List<String> coming) {
    return means.sights(coming).stream().filter(NodeSight::serves).count() == coming.size();
  }

  /** All of it, for what went off in part and is to be as before. */
  static void back(RackMeans means, RackState state, Collection<String> on, List<String> coming)
      throws InterruptedException {
    List<String> drained =
        means.sights(coming).stream()
            .filter(sight -> !sight.mode().equals(NodeSight.NORMAL))
            .map(sight -> sight.node().name())
            .toList();
    means.board().off(drained);
    boolean wereOn = means.board().are(coming, PowerSwitch.State.ON);
    means.board().on(coming);
    if (!wereOn) {
      hold(means, coming);
      join(means, state, on, coming);
      deliver(means, state, on, coming);
      prove(means, state, on, coming);
    }
    serve(means, coming);
  }
}
