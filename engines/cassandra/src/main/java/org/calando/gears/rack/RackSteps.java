package org.calando.gears.rack;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.calando.control.ShiftStep;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Plan;
import org.calando.gears.rack.RackState.Shift;
import org.calando.power.onoff.PowerSwitch;
import org.calando.store.cassandra.gear.NodeSight;

/** The steps of a shift of racks. Not thread safe. */
final class RackSteps {
  /** The step of a shift down that has nodes go; its undo has them back, and proves them. */
  static final String DRAIN = "drain";

  private final RackMeans means;
  private final RackState state;
  private final Shift shift;
  private boolean looked;
  private boolean held;
  private boolean delivered;
  private List<String> lacking = List.of();

  RackSteps(RackMeans means, RackState state, Shift shift) {
    this.means = means;
    this.state = state;
    this.shift = shift;
  }

  List<Plan.Action> steps() {
    return shift.going().isEmpty() ? up() : down();
  }

  private List<Plan.Action> down() {
    List<String> going = means.listed(state.nodesOf(shift.going()));
    List<String> staying = state.nodesBut(shift.after().off());
    List<String> on = means.on(state, shift.before().off());
    String names = String.join(", ", going);
    return List.of(
        new ShiftStep(
            "look",
            "Check that all nodes are up and agree, owe no hints, and each range keeps its copies",
            () -> look(staying, going),
            () -> looked,
            ShiftStep.Act.NOTHING),
        window(staying),
        new ShiftStep(
            DRAIN,
            "Drain " + names,
            () -> {
              boolean wereAsked = isProved();
              drain(
                  going,
                  () -> RackGates.requireGoing(means, state, staying, shift.after().off()),
                  power -> wereAsked && power != PowerSwitch.State.ON,
                  means.command("up") + " --undo, and shift again",
                  means.command("up") + " --undo, and shift again");
              noteProved(true, new TreeMap<>());
            },
            // Also for whoever resumes it: a node may have gone before it was asked.
            () -> isProved() && areAway(going),
            () -> {
              requireLeft(going);
              noteUnproved();
              RackReturn.back(means, state, on, going);
              // Not before: what is not all back is off.
              means.write(means.state().with(shift.before()));
            }),
        new ShiftStep(
            "off",
            "Switch " + names + " off",
            () -> {
              RackGates.requireGoing(means, state, staying, shift.after().off());
              means.board().off(going);
            },
            () -> means.board().are(going, PowerSwitch.State.OFF),
            ShiftStep.Act.NOTHING),
        settle());
  }

  private List<Plan.Action> up() {
    List<String> coming = means.coming(state, shift);
    List<String> on = new ArrayList<>(means.on(state, shift.after().off()));
    on.removeAll(shift.without());
    String names = String.join(", ", coming);
    List<Plan.Action> steps = new ArrayList<>();
    steps.add(
        new ShiftStep(
            "on",
            "Switch " + names + " on",
            holding(coming, () -> RackReturn.switchOn(means, state, coming)),
            () ->
                means.board().are(coming, PowerSwitch.State.ON)
                    && RackReturn.drained(means, coming).isEmpty(),
            () -> {
              List<String> staying = state.nodesBut(shift.before().off());
              String onward = means.command("up") + " --resume";
              drain(
                  coming,
                  () -> {
                    RackGates.requireStaying(means, state, staying, onward);
                    // What was made meanwhile has copies on them, perhaps its only ones.
                    RackGates.requireKept(means, state, shift.before().off(), onward);
                  },
                  power -> power == PowerSwitch.State.OFF,
                  "if it does not start: switch it off by hand, then "
                      + means.command("up")
                      + " --undo; else "
                      + onward,
                  onward + ": drained it delivers nothing");
              noteDrained(coming);
              // They may have rows of tables that were made while they were off.
              means.write(means.state().withTables(RackGraces.tables(means.servers().graces())));
              means.board().off(coming);
            }));
    steps.add(
        new ShiftStep(
            "hold",
            "Keep clients off " + names + " until they have all writes made meanwhile",
            holding(
                coming,
                () -> {
                  RackReturn.hold(means, coming);
                  held = true;
                }),
            () -> held || isProved(),
            ShiftStep.Act.NOTHING));
    steps.add(
        new ShiftStep(
            "join",
            "Wait until all nodes that have not ended see each other up",
            holding(coming, () -> RackReturn.join(means, state, on, coming)),
            () -> RackReturn.haveJoined(means, state, on, coming),
            ShiftStep.Act.NOTHING));
    steps.add(
        new ShiftStep(
            "deliver",
            "Wait until the hints for them are delivered",
            holding(
                coming,
                () -> {
                  lacking = RackReturn.deliver(means, state, on, coming);
                  delivered = true;
                }),
            () -> delivered || isProved(),
            ShiftStep.Act.NOTHING));
    steps.add(
        new ShiftStep(
            "prove",
            "Verify that no hint was lost, or else repair " + names,
            () -> {
              // Before it: what starts again meanwhile may have lost what it had.
              SortedMap<String, Long> starts = RackReturn.starts(means, coming);
              holding(coming, () -> RackProof.prove(means, state, on, coming, lacking)).run();
              noteProved(true, starts);
              requireProved(names);
            },
            this::isProved,
            this::noteUnproved));
    steps.add(
        new ShiftStep(
            "serve",
            "Let clients use " + names,
            () -> {
              requireProved(names);
              RackReturn.serve(means, coming);
            },
            () -> isProved() && RackReturn.doServe(means, coming),
            ShiftStep.Act.NOTHING));
    if (shift.after().off().isEmpty()) {
      steps.add(windowBack());
    }
    steps.add(settle());
    return steps;
  }

  private ShiftStep.Act holding(List<String> coming, ShiftStep.Act part) {
    return () -> RackReturn.holding(means, coming, part);
  }

  /** Nodes are gone already where a plan is resumed behind this. */
  private void look(List<String> staying, List<String> going) {
    List<NodeSight> sights = means.sights(going);
    if (sights.size() == going.size()
        && sights.stream().allMatch(sight -> sight.mode().equals(NodeSight.NORMAL))) {
      means.write(means.state().withTables(RackGates.require(means, shift.after().off())));
    } else {
      String remedy = means.command("up") + " --undo";
      requireLeft(going);
      RackGates.requireStaying(means, state, staying, remedy);
      RackGates.requireKept(means, state, shift.after().off(), remedy);
    }
    looked = true;
  }

  /** A node that is not listed any more can neither go nor come: it is to have left the ring. */
  private void requireLeft(List<String> going) {
    if (going.size() < state.nodesOf(shift.going()).size()) {
      RackGates.requireListed(means, state);
    }
  }

  private boolean isProved() {
    return means
        .state()
        .shift()
        .filter(noted -> noted.proved() && noted.after().equals(shift.after()))
        .filter(noted -> noted.starts().keySet().containsAll(means.coming(state, shift)))
        .filter(noted -> noted.starts().entrySet().stream().allMatch(this::runsSince))
        .isPresent();
  }

  /** Whether a node answers, and has not started again; one that misses a question has two. */
  private boolean runsSince(Map.Entry<String, Long> start) {
    String name = start.getKey();
    return means
        .servers()
        .sight(name)
        .or(() -> means.servers().sight(name))
        .filter(sight -> sight.startMillis() == start.getValue())
        .isPresent();
  }

  private void requireProved(String names) {
    if (!isProved()) {
      throw new FailedWorkException(
          "one of them does not answer, or has restarted meanwhile",
          "nodes " + names,
          means.command("up") + " --resume, which proves them again");
    }
  }

  private void noteUnproved() {
    noteProved(false, means.state().shift().map(Shift::starts).orElseGet(TreeMap::new));
  }

  /** Nodes that were drained by the processes that came have lost nothing that they were given. */
  private void noteDrained(List<String> names) {
    SortedMap<String, Long> starts =
        means.state().shift().map(noted -> new TreeMap<>(noted.starts())).orElseGet(TreeMap::new);
    means.sights(names).stream()
        .filter(sight -> sight.mode().equals(NodeSight.DRAINED))
        .forEach(sight -> starts.remove(sight.node().name(), sight.startMillis()));
    noteProved(false, starts);
  }

  /**
   * Tables too: those that are made from now on have nothing on nodes that go. Where they are not
   * known now, those of the look before stay.
   */
  private void noteProved(boolean proved, SortedMap<String, Long> starts) {
    Shift noted = shift.with(proved, starts);
    RackState now = means.state().in(noted);
    if (proved && !shift.going().isEmpty()) {
      now = now.withTables(RackGraces.tables(means.servers().graces()).or(now::tables));
    }
    means.write(now);
  }

  /** Whether nodes that were asked are drained still, or off as far as switches can be read. */
  private boolean areAway(List<String> names) {
    return names.stream()
        .allMatch(
            name ->
                means
                    .servers()
                    .sight(name)
                    .map(NodeSight::mode)
                    .map(NodeSight.DRAINED::equals)
                    .orElseGet(() -> means.board().power(name) != PowerSwitch.State.ON));
  }

  /**
   * Clients leave all of them first: a drain cuts off what they have under way.
   *
   * @param gates refuse to have a further node go: each may take minutes
   * @param mayBeSilent whether one that does not answer need not be asked, by its switch
   * @param unasked remedy where another one does not answer
   * @param remedy where one holds hints for others
   */
  private void drain(
      List<String> names,
      Runnable gates,
      Predicate<PowerSwitch.State> mayBeSilent,
      String unasked,
      String remedy)
      throws InterruptedException {
    Set<String> own = new TreeSet<>();
    names.forEach(name -> own.add(state.hostId(name)));
    gates.run();
    for (NodeSight sight : means.sights(names)) {
      if (sight.serves()) {
        means.servers().serve(sight.node().name(), false);
      }
    }
    for (NodeSight sight : means.sights(names)) {
      if (!sight.mode().equals(NodeSight.DRAINED)) {
        require(gates, names);
        // It may have got hints since it was asked.
        noteUnproved();
        means.servers().drain(sight.node().name());
        means.tell(sight.node().name() + " is drained");
      }
    }
    for (String name : names) {
      Optional<NodeSight> sight = means.servers().sight(name);
      if (sight.isEmpty() && !mayBeSilent.test(means.board().power(name))) {
        throw new FailedWorkException(
            "it has ended unchecked: it may have hints for others, and writes at ONE in them alone",
            "node " + name,
            unasked);
      }
      if (sight.filter(each -> !each.mode().equals(NodeSight.DRAINED)).isPresent()) {
        throw new FailedWorkException(
            "it is not drained, but " + sight.get().mode(),
            "node " + name,
            "see that it answers over JMX");
      }
      // Those for each other are of what others have a copy of, too, and come back with them.
      if (!sight.map(each -> own.containsAll(each.owes())).orElse(true)) {
        throw new FailedWorkException(
            "it has undelivered hints for others: a write at ONE may be in them alone",
            "node " + name,
            remedy);
      }
    }
  }

  /** Clients return to those that were to go and have not, where no more may go. */
  private void require(Runnable gates, List<String> names) {
    try {
      gates.run();
    } catch (RuntimeException e) {
      means.sights(names).stream()
          .filter(sight -> sight.mode().equals(NodeSight.NORMAL) && state.hasRunSince(sight))
          .forEach(sight -> means.servers().serve(sight.node().name(), true));
      throw e;
    }
  }

  private ShiftStep window(List<String> staying) {
    return new ShiftStep(
        "window",
        "Let the nodes that stay keep hints for %d h, however many, and begin no repairs"
            .formatted(TimeUnit.MILLISECONDS.toHours(RackHints.WINDOW_MILLIS)),
        () -> staying.forEach(node -> RackHints.lengthen(means, node)),
        () -> means.all(staying).stream().allMatch(RackHints::keepsAll),
        () -> RackHints.restore(means, state));
  }

  private ShiftStep windowBack() {
    return new ShiftStep(
        "window-back",
        "Restore the nodes' hint window",
        () -> RackHints.restore(means, state),
        // One that does not answer and runs would keep them for as long as it does.
        () ->
            means.all(RackReturn.running(means, state)).stream()
                .allMatch(sight -> RackHints.isRestored(state, sight)),
        () ->
            means.on(state, shift.before().off()).forEach(node -> RackHints.lengthen(means, node)));
  }

  private ShiftStep settle() {
    return new ShiftStep(
        "settle",
        "Record which racks are off: " + shift.after().words(),
        () -> {
          RackState now = means.state().with(shift.after());
          means.write(shift.going().isEmpty() ? now : now.after(Optional.empty()));
        },
        () -> means.state().setting().equals(shift.after()),
        shift.going().isEmpty()
            ? () -> means.write(means.state().with(shift.before()))
            : ShiftStep.Act.NOTHING);
  }
}
