package org.calando.gears.rack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.calando.control.ShiftStep;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.rack.KeyspaceReplicas;
import org.calando.core.time.DaemonThread;
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
/** Has nodes back that were off, with all that was written meanwhile. Stateless. */
final class RackReturn {
  /** A node is up a moment before it opens to clients. */
  private static final int HELD_LOOKS = 3;

  private static final String LOGS = "see the nodes' system.log";

  /** Of what a night of writes takes to be delivered, at the slow rate that Cassandra has. */
  private static final Duration LONGEST = Duration.ofHours(24);

  private RackReturn() {}

  /** Switches nodes on again, unless they have been off for too long. */
  static void switchOn(RackMeans means, RackState state, List<String> coming)
      throws InterruptedException {
    RackGraces.require(means, state, coming, true);
    endDrained(means, coming);
    means.board().on(coming);
  }

  /** Whether nodes, and all others that are to be on and have not ended, hold each other up. */
  static boolean haveJoined(
      RackMeans means, RackState state, Collection<String> on, Collection<String> coming) {
    return apart(means, state, on, coming).isEmpty();
  }

  /**
   * Names of nodes that stayed on and have ended, as all others hold. A rack is missed all the more
   * then, and comes back without them.
   */
  private static Set<String> ended(
      RackMeans means, RackState state, Collection<String> on, Collection<String> coming) {
    Set<String> ended = new TreeSet<>(on);
    ended.removeAll(coming);
    Set<String> live = new TreeSet<>();
    Set<String> members = new TreeSet<>();
    for (NodeSight sight : means.sights(on)) {
      ended.remove(sight.node().name());
      live.addAll(sight.live());
      members.addAll(sight.members());
    }
    // What took the name of one that left may run: nobody knows by what id.
    members.removeAll(live);
    ended.retainAll(
        state.nodes().stream()
            .filter(each -> members.contains(each.hostId()))
            .map(each -> each.node().name())
            .toList());
    return ended;
  }

  /** Names of all nodes that have not ended, as those that answer hold. */
  static List<String> running(RackMeans means, RackState state) {
    return running(means, state, means.servers().names(), List.of());
  }

  private static List<String> running(
      RackMeans means, RackState state, Collection<String> on, Collection<String> coming) {
    Set<String> ended = ended(means, state, on, coming);
    return on.stream().filter(name -> !ended.contains(name)).toList();
  }

  /** Names of nodes that run, and do not answer or hold another of them to be down. */
  private static List<String> apart(
      RackMeans means, RackState state, Collection<String> on, Collection<String> coming) {
    // By the ids that they have now: one that was replaced has another than it had.
    Set<String> ids = new TreeSet<>();
    means.sights(on).forEach(sight -> ids.add(sight.hostId()));
    return running(means, state, on, coming).stream()
        .filter(
            name ->
                means
                    .servers()
                    .sight(name)
                    .filter(sight -> sight.mode().equals(NodeSight.NORMAL))
                    .filter(sight -> sight.live().containsAll(ids))
                    .isEmpty())
        .toList();
  }

  /** Waits until they have. */
  static void join(
      RackMeans means, RackState state, Collection<String> on, Collection<String> coming)
      throws InterruptedException {
    RackGates.requireListed(means, state);
    means
        .patience()
        .await(
            means.board().news(),
            means.patience().power(),
            () -> haveJoined(means, state, on, coming),
            () ->
                "these do not answer, or do not hold all others to be up: "
                    + apart(means, state, on, coming).stream()
                        .map(name -> name + means.servers().silence(name))
                        .collect(Collectors.joining(", ")),
            means.target(),
            "start those that do not run; " + LOGS);
  }

  /** Whether nodes answer, and take no requests of clients. */
  private static boolean areHeld(RackMeans means, List<String> coming) {
    List<NodeSight> sights = means.sights(coming);
    return sights.size() == coming.size()
        && sights.stream()
            .allMatch(sight -> sight.mode().equals(NodeSight.NORMAL) && !sight.serves());
  }

  /**
   * Has nodes take no requests of clients as soon as they would: what they lack they must not tell
   * those that have them for coordinators.
   */
  static void hold(RackMeans means, List<String> coming) throws InterruptedException {
    int[] looks = {0};
    means
        .patience()
        .await(
            means.board().news(),
            means.patience().power(),
            () -> {
              looks[0] = areHeld(means, coming) ? looks[0] + 1 : 0;
              return looks[0] == HELD_LOOKS;
            },
            () -> "not all of " + String.join(", ", coming) + " answer",
            means.servers().target(),
            LOGS);
  }

  /**
   * Does a part of a shift, and has nodes take no requests of clients meanwhile: each opens to them
   * at the end of each start, some while others still boot. Those that have come are kept closed
   * where it fails.
   */
  static void holding(RackMeans means, List<String> coming, ShiftStep.Act part)
      throws InterruptedException {
    Thread holder = DaemonThread.start("calando-hold", () -> holdOn(means, coming));
    try {
      part.run();
    } finally {
      holder.interrupt();
      holder.join();
      holdQuietly(means, coming);
    }
  }

  private static void holdOn(RackMeans means, List<String> coming) {
    try {
      while (!Thread.interrupted()) {
        holdQuietly(means, coming);
        Thread.sleep(means.patience().poll().toMillis());
      }
    } catch (InterruptedException e) {
      // The part has ended.
    }
  }

  private static void holdQuietly(RackMeans means, List<String> coming) {
    try {
      holdAgain(means, coming);
    } catch (CalandoException e) {
      // It has gone again, or is going; the next look tells.
    }
  }

  /** Nodes open to clients at the end of each start. */
  private static void holdAgain(RackMeans means, List<String> coming) {
    List<NodeSight> sights = means.sights(coming);
    note(means, sights);
    sights.stream()
        .filter(NodeSight::serves)
        .forEach(sight -> means.servers().serve(sight.node().name(), false));
  }

  /** As soon as they are there: with their processes goes what they were given and have not kept. */
  private static void note(RackMeans means, List<NodeSight> sights) {
    RackState state = means.state();
    state
        .shift()
        .ifPresent(
            shift -> {
              SortedMap<String, Long> starts = new TreeMap<>(shift.starts());
              sights.stream()
                  .filter(sight -> !isDrained(sight))
                  .forEach(sight -> starts.putIfAbsent(sight.node().name(), sight.startMillis()));
              if (!starts.equals(shift.starts())) {
                means.write(state.in(shift.with(shift.proved(), starts)));
              }
            });
  }

  /**
   * Waits until hints are delivered that had been written when nodes had joined; nodes begin to do
   * so each ten seconds by themselves.
   *
   * @return names of nodes that have lost some, as far as counters tell
   */
  static List<String> deliver(
      RackMeans means, RackState state, Collection<String> on, List<String> coming)
      throws InterruptedException {
    Delivery delivery = new Delivery(means, state, running(means, state, on, coming), coming);
    means
        .patience()
        .await(
            means.board().news(),
            LONGEST,
            delivery::isOver,
            delivery::words,
            means.target(),
            "wait; nodetool sethintedhandoffthrottlekb has them go faster");
    return delivery.lacking();
  }

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
        || TimeUnit.SECONDS.toMillis(seconds.getAsLong()) > RackSteps.WINDOW_MILLIS) {
      doubts.add("off for longer than hints are kept");
    }
    if (doubts.isEmpty()) {
      doubts.addAll(compare(means));
    }
    if (doubts.isEmpty()) {
      means.tell("all hints are delivered, and none was lost");
      return;
    }
    List<KeyspaceReplicas> relied = means.relied(answers(means, running(means, state, on, coming)));
    for (String node : coming) {
      means.tell("repairing " + node + ", as " + String.join("; ", doubts));
      for (KeyspaceReplicas keyspace : relied) {
        // Those before may have taken days, in which deletions have expired and nodes have ended.
        RackGraces.require(means, state, coming, false);
        Set<String> ended = ended(means, state, on, coming);
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
    SortedMap<String, Long> now = starts(means, coming);
    return coming.stream()
        .filter(name -> !Objects.equals(first.get(name), now.get(name)))
        .toList();
  }

  /** Refuses to take nodes for repaired of which nobody has what was written meanwhile. */
  private static void requireOthers(
      KeyspaceReplicas keyspace, Collection<String> coming, Set<String> ended) {
    for (Set<String> range : keyspace.ranges()) {
      Set<String> others = new TreeSet<>(range);
      boolean isLacking = others.removeAll(coming);
      if (isLacking && !others.isEmpty() && ended.containsAll(others)) {
        throw new FailedWorkException(
            "all have ended that have what was written to it meanwhile: "
                + String.join(", ", others),
            "keyspace " + keyspace.keyspace(),
            "start one of them");
      }
    }
  }

  /**
   * What nodes report, as soon as all of them do: one that misses a question is no reason to begin
   * hours of delivery again.
   */
  private static List<NodeSight> answers(RackMeans means, Collection<String> names)
      throws InterruptedException {
    List<NodeSight> sights = new ArrayList<>();
    means
        .patience()
        .await(
            means.board().news(),
            means.patience().power(),
            () -> {
              sights.clear();
              sights.addAll(means.sights(names));
              return sights.size() == names.size();
            },
            () -> "not all of " + String.join(", ", names) + " answer",
            means.target(),
            LOGS);
    return sights;
  }

  /** When nodes' processes started, by name. */
  static SortedMap<String, Long> starts(RackMeans means, Collection<String> names)
      throws InterruptedException {
    SortedMap<String, Long> starts = new TreeMap<>();
    answers(means, names).forEach(sight -> starts.put(sight.node().name(), sight.startMillis()));
    return starts;
  }

  /** Why hints may have been lost; none if they cannot. */
  private static List<String> doubts(
      RackMeans means, RackState state, Collection<String> on, List<String> coming)
      throws InterruptedException {
    Set<String> staying = new TreeSet<>(on);
    coming.forEach(staying::remove);
    Set<String> ended = ended(means, state, on, coming);
    staying.removeAll(ended);
    Set<String> noted = new TreeSet<>();
    state.nodes().forEach(each -> noted.add(each.hostId()));
    List<String> doubts = new ArrayList<>();
    ended.forEach(name -> doubts.add(name + " has ended, and its hints with it"));
    for (NodeSight sight : answers(means, staying)) {
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
        || hints.windowMillis() < RackSteps.WINDOW_MILLIS) {
      return Optional.of("was set to keep fewer hints meanwhile");
    }
    return Optional.empty();
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
    holding(means, coming, () -> switchOn(means, state, coming));
    // Not what switches say: an earlier try may have switched them on.
    List<NodeSight> sights = means.sights(coming);
    boolean wereAway =
        sights.size() < coming.size() || !sights.stream().allMatch(state::hasRunSince);
    if (wereAway) {
      holding(
          means,
          coming,
          () -> {
            hold(means, coming);
            join(means, state, on, coming);
            prove(means, state, on, coming, deliver(means, state, on, coming));
          });
    }
    serve(means, coming);
  }

  /** Switches those off that are drained: they take nothing until they start again. */
  static void endDrained(RackMeans means, List<String> coming) throws InterruptedException {
    means.board().off(drained(means, coming));
  }

  private static boolean isDrained(NodeSight sight) {
    return sight.mode().equals(NodeSight.DRAINED) || sight.mode().equals("DRAINING");
  }

  /** Names of nodes that are drained, or are at it. */
  static List<String> drained(RackMeans means, List<String> names) {
    return means.sights(names).stream()
        .filter(RackReturn::isDrained)
        .map(sight -> sight.node().name())
        .toList();
  }
}
