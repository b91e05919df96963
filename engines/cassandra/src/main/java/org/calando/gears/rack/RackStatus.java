package org.calando.gears.rack;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.calando.control.JournalEntry;
import org.calando.control.OffSetting;
import org.calando.core.CalandoException;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.SwitchBoard;
import org.calando.store.cassandra.gear.NodeSight;
import org.calando.store.cassandra.gear.RackServers.Grace;
import org.calando.store.cassandra.gear.RackServers.Graces;

/**
 * How a cluster's racks are, and what is not as it is to be. Immutable.
 *
 * @param setting which racks are to be off
 * @param nodes all nodes
 * @param unfinished the last entry of a plan that was begun and not ended
 * @param findings what is wrong, the first to mend first
 */
public record RackStatus(
    OffSetting setting,
    List<Node> nodes,
    Optional<JournalEntry> unfinished,
    List<Problem> findings) {
  private static final String START =
      "start it; if it runs, its system.log says why it does not serve; or correct its jmx";

  /** Before deletions keep a rack off. */
  private static final long WARNED_SECONDS = TimeUnit.HOURS.toSeconds(1);

  /** Copies the lists. */
  public RackStatus {
    nodes = List.copyOf(nodes);
    findings = List.copyOf(findings);
  }

  /**
   * Something that is not as it has to be.
   *
   * @param problem what is wrong
   * @param where with what
   * @param remedy what to do
   */
  public record Problem(String problem, String where, String remedy) {}

  /**
   * A node.
   *
   * @param name its name
   * @param off whether it is to be off
   * @param power what its switch says
   * @param sight what it reports; empty if it does not answer
   */
  public record Node(
      String name, boolean off, PowerSwitch.State power, Optional<NodeSight> sight) {}

  /** Looks at a cluster; changes nothing. */
  public static RackStatus of(RackMeans means) {
    RackState state = means.state();
    Set<String> off = Set.copyOf(state.nodesOf(state.setting().off()));
    Optional<JournalEntry> unfinished = RackShifter.unfinished(means.path());
    Set<String> moving = new TreeSet<>();
    List<Problem> findings = new ArrayList<>();
    if (unfinished.isPresent()) {
      state.shift().ifPresent(shift -> moving.addAll(state.nodesOf(shift.going())));
      state.shift().ifPresent(shift -> moving.addAll(state.nodesOf(shift.coming())));
    }
    List<Node> nodes = new ArrayList<>();
    for (String name : means.servers().names()) {
      PowerSwitch.State power = means.board().power(name);
      // One that is off may take its question to the end.
      Optional<NodeSight> sight =
          off.contains(name) && power == PowerSwitch.State.OFF
              ? Optional.empty()
              : means.servers().sight(name);
      Node node = new Node(name, off.contains(name), power, sight);
      nodes.add(node);
      if (!moving.contains(name)) {
        look(means, state, node, findings);
      }
    }
    if (unfinished.isPresent()) {
      findings.add(
          new Problem(
              "a plan was begun and not ended", "racks", means.command("up") + " --resume"));
    }
    if (!state.mayBeOff(unfinished.isPresent()).isEmpty()) {
      overdue(means, state, unfinished.isPresent()).ifPresent(findings::add);
      shortfall(means, state, nodes).ifPresent(findings::add);
    }
    return new RackStatus(state.setting(), nodes, unfinished, findings);
  }

  /** What was made, or is replicated otherwise, since racks went off. */
  private static Optional<Problem> shortfall(RackMeans means, RackState state, List<Node> nodes) {
    List<NodeSight> staying =
        nodes.stream().filter(node -> !node.off()).flatMap(node -> node.sight().stream()).toList();
    SortedSet<String> off = state.setting().off();
    if (staying.isEmpty() || off.isEmpty()) {
      return Optional.empty();
    }
    String where = "without " + String.join(", ", off);
    try {
      return RackGates.shortfall(means, state, staying, off)
          .map(found -> new Problem(found.words(), where, means.command("up")));
    } catch (CalandoException e) {
      return Optional.of(
          new Problem(
              "whether ranges have their copies is not known: " + e.problem(), where, e.remedy()));
    }
  }

  /** Racks that are off for longer than hints are kept, or soon for longer than deletions are. */
  private static Optional<Problem> overdue(RackMeans means, RackState state, boolean isOpen) {
    OptionalLong seconds = means.offSeconds(state);
    Graces graces = means.servers().graces();
    if (seconds.isPresent()
        && TimeUnit.SECONDS.toMillis(seconds.getAsLong()) < RackHints.WINDOW_MILLIS) {
      return shortest(graces, state)
          .filter(table -> seconds.getAsLong() >= RackGraces.mostOff(table) - WARNED_SECONDS)
          .map(
              table ->
                  new Problem(
                      ("off for %d s; it is not switched on from %d s on, as deletions are kept"
                              + " for %d s")
                          .formatted(
                              seconds.getAsLong(), RackGraces.mostOff(table), table.seconds()),
                      "table " + table.table(),
                      means.command("up")
                          + " now; or ALTER TABLE %s WITH gc_grace_seconds = %d"
                              .formatted(table.table(), 2 * table.seconds())));
    }
    String deletions =
        graces
            .unknown()
            .map(why -> "for how long deletions are kept is not known: " + why)
            .or(() -> shortest(graces, state).map(RackStatus::deletions))
            .orElse("no table of clients is there");
    String time =
        seconds.isPresent()
            ? "off for %d h".formatted(TimeUnit.SECONDS.toHours(seconds.getAsLong()))
            : "for how long it is off is not known by this machine's clock";
    return Optional.of(
        new Problem(
            time + ": hints are kept for 24 h, " + deletions,
            OffSetting.of(state.mayBeOff(isOpen)).words(),
            means.command("up") + ", which repairs them, before deletions expire"));
  }

  private static Optional<Grace> shortest(Graces graces, RackState state) {
    return graces.shortest(table -> RackGraces.mayComeBack(state, table));
  }

  private static String deletions(Grace grace) {
    return "deletions of %s for %d h (gc_grace_seconds)"
        .formatted(grace.table(), TimeUnit.SECONDS.toHours(grace.seconds()));
  }

  private static void look(RackMeans means, RackState state, Node node, List<Problem> findings) {
    String where = "node " + node.name();
    if (node.off()) {
      if (node.power() == PowerSwitch.State.ON) {
        findings.add(
            new Problem(
                "it should be off, and is on: it may lack writes",
                where,
                means.command("up") + ", which gives it what it lacks"));
      }
      return;
    }
    if (node.sight().isEmpty()) {
      findings.add(new Problem("it should be on, and " + means.silence(node.name()), where, START));
      return;
    }
    NodeSight sight = node.sight().get();
    if (!sight.mode().equals(NodeSight.NORMAL)) {
      findings.add(new Problem("it is " + sight.mode(), where, START));
    } else if (!sight.serves()) {
      findings.add(
          new Problem("it takes no requests of clients", where, "nodetool enablebinary on it"));
    }
    boolean someOff = !state.setting().off().isEmpty();
    if (someOff && !RackHints.keepsAll(sight)) {
      String most =
          sight.hints().mostMebibytes() == 0
              ? ""
              : ", and %d MiB,".formatted(sight.hints().mostMebibytes());
      String repairs = sight.process().repairs().isEmpty() ? "" : ", and begins repairs by itself";
      findings.add(
          new Problem(
              "it keeps hints for %d min%s only%s; it has %s since the rack went off"
                  .formatted(
                      sight.hints().windowMillis() / 60_000,
                      most,
                      repairs,
                      state.kept().containsKey(node.name()) ? "started again" : "joined"),
              where,
              "nodetool setmaxhintwindow %d on it; a repair follows in any case"
                  .formatted(RackHints.WINDOW_MILLIS)));
    }
    if (node.power() == PowerSwitch.State.OFF) {
      findings.add(new Problem("its switch says off", where, SwitchBoard.DOUBTFUL));
    }
  }

  /** Whether all is as it is to be. */
  public boolean isWell() {
    return findings.isEmpty();
  }
}
