package org.calando.gears.rack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.calando.control.ShiftStep;
import org.calando.core.CalandoException;
import org.calando.core.time.DaemonThread;
import org.calando.store.cassandra.gear.NodeSight;

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
  static Set<String> ended(
      RackMeans means, RackState state, Collection<String> on, Collection<String> coming) {
    return ended(means.sights(on), state, on, coming);
  }

  private static Set<String> ended(
      List<NodeSight> sights, RackState state, Collection<String> on, Collection<String> coming) {
    Set<String> ended = new TreeSet<>(on);
    ended.removeAll(coming);
    Set<String> live = new TreeSet<>();
    Set<String> members = new TreeSet<>();
    for (NodeSight sight : sights) {
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

  /** Names of all nodes that have not ended, as those that answer hold, but for lost ones. */
  static List<String> running(RackMeans means, RackState state) {
    List<String> on = new ArrayList<>(means.servers().names());
    state.shift().ifPresent(shift -> on.removeAll(shift.without()));
    return running(means, state, on, List.of());
  }

  static List<String> running(
      RackMeans means, RackState state, Collection<String> on, Collection<String> coming) {
    Set<String> ended = ended(means, state, on, coming);
    return on.stream().filter(name -> !ended.contains(name)).toList();
  }

  /** Names of nodes that run, and do not answer or hold another of them to be down. */
  private static List<String> apart(
      RackMeans means, RackState state, Collection<String> on, Collection<String> coming) {
    List<NodeSight> sights = means.sights(on);
    // By the ids that they have now: one that was replaced has another than it had.
    Set<String> ids = new TreeSet<>();
    sights.forEach(sight -> ids.add(sight.hostId()));
    Set<String> joined = ended(sights, state, on, coming);
    sights.stream()
        .filter(sight -> sight.mode().equals(NodeSight.NORMAL) && sight.live().containsAll(ids))
        .forEach(sight -> joined.add(sight.node().name()));
    return on.stream().filter(name -> !joined.contains(name)).toList();
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
                "these do not answer, or do not see all others up: "
                    + apart(means, state, on, coming).stream()
                        .map(name -> name + means.servers().silence(name))
                        .collect(Collectors.joining(", ")),
            means.target(),
            "start those that do not run; " + LOGS);
  }

  /** Whether nodes answer, and take no requests of clients. */
  private static boolean areHeld(RackMeans means, List<String> coming) {
    RackState state = means.state();
    List<NodeSight> sights = means.sights(coming);
    return sights.size() == coming.size()
        && sights.stream()
            .allMatch(sight -> sight.mode().equals(NodeSight.NORMAL) && !isOpen(state, sight));
  }

  /** Whether clients use a node that was away: one that never went lacks nothing. */
  private static boolean isOpen(RackState state, NodeSight sight) {
    return sight.serves() && !state.hasRunSince(sight);
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
      RackState state = means.state();
      List<NodeSight> sights = means.sights(coming);
      close(means, sights.stream().filter(sight -> isOpen(state, sight)).toList());
      note(means, sights);
    } catch (CalandoException e) {
      // The next look tells.
    }
  }

  /** Has nodes take no requests of clients, also where one of them does not obey. */
  static void close(RackMeans means, List<NodeSight> sights) {
    for (NodeSight sight : sights) {
      try {
        means.servers().serve(sight.node().name(), false);
      } catch (CalandoException e) {
        // It has gone again, or is going; the next look tells.
      }
    }
  }

  /**
   * As soon as they are there: with their processes goes what they were given and have not kept.
   */
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
   * @return names of nodes that have lost some, as far as counters tell, and of those that were not
   *     asked: held to have ended for a moment, one may have some on its disk
   */
  static List<String> deliver(
      RackMeans means, RackState state, Collection<String> on, List<String> coming)
      throws InterruptedException {
    List<String> asked = running(means, state, on, coming);
    Delivery delivery = new Delivery(means, state, asked, coming);
    means
        .patience()
        .await(
            means.board().news(),
            LONGEST,
            delivery::isOver,
            delivery::words,
            means.target(),
            "wait; nodetool sethintedhandoffthrottlekb has them go faster");
    List<String> lacking = new ArrayList<>(on);
    lacking.removeAll(asked);
    lacking.addAll(delivery.lacking());
    return lacking;
  }

  /**
   * What nodes report, as soon as all of them do: one that misses a question is no reason to begin
   * hours of delivery again.
   */
  static List<NodeSight> answers(RackMeans means, Collection<String> names)
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
            RackProof.prove(means, state, on, coming, deliver(means, state, on, coming));
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
