package org.calando.gears.rack;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.rack.KeyspaceReplicas;
import org.calando.gears.rack.RackState.Kept;
import org.calando.gears.rack.RackState.Shift;
import org.calando.store.cassandra.gear.NodeSight;
import org.calando.store.cassandra.gear.RackServers;
import org.jspecify.annotations.Nullable;

/*
 * A node that was off lacks what was written meanwhile. Others have hints for it, which they lose with their disks, with a
 * kill before they are flushed, and beyond their window. So it is believed only where none of that can have happened;
 * else all its ranges are compared with their other replicas.
 */
/** Proves that nodes that were off have all that was written meanwhile. Stateless. */
final class RackProof {
  private RackProof() {}

  /** Proves that nodes have all that was written while they were off, or has it repaired. */
  static void prove(
      RackMeans means,
      RackState state,
      Collection<String> on,
      List<String> coming,
      List<String> lacking)
      throws InterruptedException {
    RackGraces.require(means, state, coming, false);
    List<String> doubts = new ArrayList<>(doubts(means, state, on, coming));
    restarted(means, coming)
        .forEach(name -> doubts.add(name + " has started again since it came back"));
    doubts.addAll(RackGraces.doubts(means, state));
    lacking.forEach(name -> doubts.add(name + " has lost hints undelivered"));
    OptionalLong seconds = means.offSeconds(state);
    if (seconds.isEmpty()
        || TimeUnit.SECONDS.toMillis(seconds.getAsLong()) > RackHints.WINDOW_MILLIS) {
      doubts.add("off for longer than hints are kept");
    }
    if (doubts.isEmpty()) {
      doubts.addAll(compare(means));
    }
    if (doubts.isEmpty()) {
      means.tell("all hints are delivered, and none was lost");
      return;
    }
    List<KeyspaceReplicas> relied =
        means.relied(RackReturn.answers(means, RackReturn.running(means, state, on, coming)));
    for (String node : coming) {
      means.tell("repairing " + node + ", as " + String.join("; ", doubts));
      for (KeyspaceReplicas keyspace : relied) {
        // Those before may have taken days, in which deletions have expired and nodes have ended.
        RackGraces.require(means, state, coming, false);
        Set<String> ended = RackReturn.ended(means, state, on, coming);
        requireOthers(keyspace, coming, ended);
        means.servers().repair(node, keyspace.keyspace(), !ended.isEmpty());
      }
    }
  }

  /** What counters do not tell, as of hints that somebody has deleted, may show in some keys. */
  private static List<String> compare(RackMeans means) {
    RackServers.Compared compared = means.servers().compare();
    means.tell(
        compared
            .unknown()
            .map(why -> "keys were not compared on all replicas: " + why)
            .orElse(compared.keys() + " keys were compared on all replicas"));
    return compared.differing().stream()
        .map(table -> "replicas of keys of " + table + " differ")
        .toList();
  }

  /** Which of the nodes that come have not run ever since they were seen first. */
  private static List<String> restarted(RackMeans means, Collection<String> coming)
      throws InterruptedException {
    SortedMap<String, Long> first = means.state().shift().map(Shift::starts).orElseThrow();
    SortedMap<String, Long> now = RackReturn.starts(means, coming);
    return coming.stream().filter(name -> !Objects.equals(first.get(name), now.get(name))).toList();
  }

  /** Refuses to take nodes for repaired of which nobody has what was written meanwhile. */
  private static void requireOthers(
      KeyspaceReplicas keyspace, Collection<String> coming, Set<String> ended) {
    for (Set<String> range : keyspace.ranges()) {
      Set<String> others = new TreeSet<>(range);
      boolean isLacking = others.removeAll(coming);
      if (isLacking && !others.isEmpty() && ended.containsAll(others)) {
        throw new FailedWorkException(
            "all nodes with the writes made meanwhile have ended: " + String.join(", ", others),
            "keyspace " + keyspace.keyspace(),
            "start one of them");
      }
    }
  }

  /** Why hints may have been lost; none if they cannot. */
  private static List<String> doubts(
      RackMeans means, RackState state, Collection<String> on, List<String> coming)
      throws InterruptedException {
    Set<String> staying = new TreeSet<>(on);
    coming.forEach(staying::remove);
    Set<String> ended = RackReturn.ended(means, state, on, coming);
    staying.removeAll(ended);
    Set<String> noted = new TreeSet<>();
    state.nodes().forEach(each -> noted.add(each.hostId()));
    List<String> doubts = new ArrayList<>();
    ended.forEach(name -> doubts.add(name + " has ended, and its hints with it"));
    for (NodeSight sight : RackReturn.answers(means, staying)) {
      if (doubts.isEmpty() && !sight.members().equals(noted)) {
        doubts.add("the ring has other nodes than when the rack went off");
      }
      doubt(state, sight).ifPresent(why -> doubts.add(sight.node().name() + " " + why));
    }
    return doubts;
  }

  private static Optional<String> doubt(RackState state, NodeSight sight) {
    NodeSight.Hints hints = sight.hints();
    @Nullable Kept before = state.kept().get(sight.node().name());
    if (before == null) {
      return Optional.of("has joined, and kept hints for as long as it is set to");
    }
    if (!state.hasRunSince(sight)) {
      return Optional.of("has started again, and may have lost hints that were not on its disk");
    }
    if (hints.notKept() != before.notKept()) {
      return Optional.of(
          "kept no hints for %d writes".formatted(hints.notKept() - before.notKept()));
    }
    if (!hints.enabled()
        || hints.mostMebibytes() > 0
        || hints.windowMillis() < RackHints.WINDOW_MILLIS) {
      return Optional.of("was set to keep fewer hints meanwhile");
    }
    return Optional.empty();
  }
}
