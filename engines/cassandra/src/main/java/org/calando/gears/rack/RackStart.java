package org.calando.gears.rack;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.calando.core.BadRequestException;
import org.calando.gears.rack.RackState.Kept;
import org.calando.gears.rack.RackState.Known;
import org.calando.gears.rack.RackState.Shift;
import org.calando.power.onoff.SwitchBoard;
import org.calando.store.cassandra.gear.NodeSight;

/** What has to be so, and to be known, before a shift of racks begins. Stateless. */
final class RackStart {
  private RackStart() {}

  /**
   * Refuses a shift that is not possible; changes nothing.
   *
   * @return what has to be known of it
   */
  static RackState require(RackMeans means, Shift shift) {
    if (shift.before().equals(shift.after())) {
      throw new BadRequestException(
          "nothing would change: " + shift.after().words(), "gear", means.command("status"));
    }
    if (!shift.going().isEmpty() && !shift.before().off().isEmpty()) {
      throw new BadRequestException(
          "racks are off already, and those that would go hold hints for them",
          shift.before().words(),
          "shift up first, to the highest gear, and then down to this one");
    }
    if (shift.going().isEmpty() && !shift.after().off().isEmpty()) {
      throw new BadRequestException(
          "racks come on together: those that came first would hold hints for the others",
          shift.before().words(),
          "shift up to the highest gear, and then down to the one that is wanted");
    }
    RackState state = begun(means, shift);
    requireSame(means, state);
    requireLost(means, state, shift);
    Set<String> unknown = new TreeSet<>(shift.going());
    state.nodes().forEach(known -> unknown.remove(known.node().place()));
    if (!unknown.isEmpty()) {
      throw new BadRequestException(
          "the cluster has no rack " + String.join(", ", unknown),
          "gear",
          "name racks as " + state.nodes().get(0).node().place());
    }
    Optional<String> blank = shift.going().stream().filter(rack -> rack.contains(" ")).findFirst();
    if (blank.isPresent()) {
      throw new BadRequestException(
          "its name has a blank, which journals do not take", "rack " + blank.get(), "rename it");
    }
    List<String> coming = means.coming(state, shift);
    for (String node : shift.going().isEmpty() ? coming : state.nodesOf(shift.going())) {
      if (!means.board().switches().containsKey(node)) {
        throw new BadRequestException("nothing switches it", "node " + node, SwitchBoard.NO_SWITCH);
      }
    }
    if (shift.going().isEmpty()) {
      RackGraces.require(means, state, coming, true);
    } else {
      means.board().requireKnown(state.nodesOf(shift.going()));
      return state.withTables(RackGates.require(means, shift.after().off()));
    }
    return state;
  }

  /**
   * Clusters may have one name: racks that are off are of that whose nodes are noted. Those that
   * joined since have hints too.
   */
  private static void requireSame(RackMeans means, RackState state) {
    Set<String> members = new TreeSet<>();
    means.sights(means.servers().names()).forEach(sight -> members.addAll(sight.members()));
    if (state.nodes().stream().noneMatch(known -> members.contains(known.hostId()))) {
      throw new BadRequestException(
          "is of another cluster of this name",
          means.path().toString(),
          "keep their inventories in folders of their own");
    }
    RackGates.requireListed(means, state);
  }

  /** A node that is left out is not proved: it must not be one that clients use. */
  private static void requireLost(RackMeans means, RackState state, Shift shift) {
    List<String> coming = state.nodesOf(shift.coming());
    Set<String> live = new TreeSet<>();
    means.sights(means.servers().names()).forEach(sight -> live.addAll(sight.live()));
    for (String name : shift.without()) {
      if (!coming.contains(name)) {
        throw new BadRequestException(
            "is no node of a rack that comes on",
            "--without " + name,
            "name some of " + String.join(", ", coming));
      }
      if (live.contains(state.hostId(name)) || means.servers().sight(name).isPresent()) {
        throw new BadRequestException(
            "runs, and so comes on with its rack", "--without " + name, "remove it; or stop it");
      }
      means.tell(
          name
              + " is left out; replace it, or have it removed: if it comes on by itself it lacks"
              + " what was written, and clients use it");
    }
    if (!coming.isEmpty() && shift.without().containsAll(coming)) {
      throw new BadRequestException("no node is left that comes on", "--without", "leave one");
    }
  }

  /** What has to be known of a shift: of one down how all nodes are now. */
  static RackState begun(RackMeans means, Shift shift) {
    RackState state = means.state();
    if (shift.going().isEmpty()) {
      return state.in(shift);
    }
    List<NodeSight> sights = means.all(means.servers().names());
    SortedMap<String, Kept> kept = new TreeMap<>();
    for (NodeSight sight : sights) {
      NodeSight.Hints hints = sight.hints();
      int window = hints.windowMillis();
      int most = hints.mostMebibytes();
      Set<String> repairs = new TreeSet<>(sight.process().repairs());
      if (state.hasRunSince(sight) && window == RackHints.WINDOW_MILLIS) {
        // A plan which was given up has set it; it is to go back to what it was before that.
        Kept before = Objects.requireNonNull(state.kept().get(sight.node().name()));
        window = before.windowMillis();
        most = Math.max(most, before.mostMebibytes());
        repairs.addAll(before.repairs());
      }
      kept.put(
          sight.node().name(),
          new Kept(
              window,
              most,
              repairs,
              sight.startMillis(),
              sight.process().upMillis(),
              hints.failed(),
              hints.notKept(),
              hints.waiting()));
    }
    return new RackState(
        state.setting(),
        Optional.of(shift),
        sights.stream().map(sight -> new Known(sight.node(), sight.hostId())).toList(),
        kept,
        System.currentTimeMillis(),
        means.keeps(),
        Optional.empty(),
        state.failure());
  }
}
