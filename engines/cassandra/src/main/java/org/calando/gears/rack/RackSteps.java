package org.calando.gears.rack;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import org.calando.control.ShiftStep;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Plan;
import org.calando.gears.rack.RackState.Kept;
import org.calando.gears.rack.RackState.Shift;
import org.calando.power.onoff.PowerSwitch;
import org.calando.store.cassandra.gear.NodeSight;

/** The steps of a shift of racks. Not thread safe. */
final class RackSteps {
  /** Longer than racks are off: what is written later is not kept, and costs a repair. */
  static final int WINDOW_MILLIS = (int) TimeUnit.HOURS.toMillis(24);

  private final RackMeans means;
  private final RackState state;
  private final Shift shift;
  private boolean looked;

  RackSteps(RackMeans means, RackState state, Shift shift) {
    this.means = means;
    this.state = state;
    this.shift = shift;
  }

  List<Plan.Action> steps() {
    return shift.going().isEmpty() ? up() : down();
  }

  private List<Plan.Action> down() {
    List<String> going = state.nodesOf(shift.going());
    List<String> staying = state.nodesBut(shift.after().off());
    List<String> on = state.nodesBut(shift.before().off());
    String names = String.join(", ", going);
    return List.of(
        new ShiftStep(
            "look",
            "Check that all nodes are up and agree, owe no hints, and each range keeps its copies",
            () -> {
              // Nodes are gone already where a plan is resumed behind this.
              if (means.sights(going).size() == going.size() && areNormal(going)) {
                RackGates.require(means, shift.after().off());
              }
              looked = true;
            },
            () -> looked,
            ShiftStep.Act.NOTHING),
        window(staying),
        new ShiftStep(
            "drain",
            "Drain " + names,
            () -> drain(going),
            () -> areAway(going),
            () -> RackReturn.back(means, state, on, going)),
        new ShiftStep(
            "off",
            "Switch " + names + " off",
            () -> means.board().off(going),
            () -> means.board().are(going, PowerSwitch.State.OFF),
            () -> RackReturn.back(means, state, on, going)),
        settle());
  }

  private List<Plan.Action> up() {
    List<String> coming = state.nodesOf(shift.coming());
    List<String> on = state.nodesBut(shift.after().off());
    String names = String.join(", ", coming);
    List<Plan.Action> steps = new ArrayList<>();
    steps.add(
        new ShiftStep(
            "on",
            "Switch " + names + " on",
            () -> means.board().on(coming),
            () -> means.board().are(coming, PowerSwitch.State.ON),
            () -> {
              drain(coming);
              means.board().off(coming);
            }));
    steps.add(
        new ShiftStep(
            "hold",
            "Keep clients off " + names + " until they have all that was written meanwhile",
            () -> RackReturn.hold(means, coming),
            () -> isProved() || RackReturn.areHeld(means, coming),
            ShiftStep.Act.NOTHING));
    steps.add(
        new ShiftStep(
            "join",
            "Wait until all nodes hold each other to be up",
            () -> RackReturn.join(means, state, on, coming),
            () -> RackReturn.haveJoined(means, state, on),
            ShiftStep.Act.NOTHING));
    steps.add(
        new ShiftStep(
            "deliver",
            "Wait until what was written meanwhile is delivered",
            () -> RackReturn.deliver(means, state, on, coming),
            () -> RackReturn.areDelivered(means, state, on, coming),
            ShiftStep.Act.NOTHING));
    steps.add(
        new ShiftStep(
            "prove",
            "Verify that no hint was lost, or else repair " + names,
            () -> {
              RackReturn.prove(means, state, on, coming);
              noteProved(true);
            },
            this::isProved,
            () -> noteProved(false)));
    steps.add(
        new ShiftStep(
            "serve",
            "Let clients use " + names,
            () -> RackReturn.serve(means, coming),
            () -> RackReturn.doServe(means, coming),
            ShiftStep.Act.NOTHING));
    if (shift.after().off().isEmpty()) {
      steps.add(windowBack());
    }
    steps.add(settle());
    return steps;
  }

  private boolean areNormal(List<String> names) {
    return means.sights(names).stream().allMatch(sight -> sight.mode().equals(NodeSight.NORMAL));
  }

  private boolean isProved() {
    return means.state().shift().filter(Shift::proved).isPresent();
  }

  private void noteProved(boolean proved) {
    means.write(means.state().in(proved ? shift.asProved() : shift));
  }

  /** Those that have been drained, or are off already. */
  private boolean areAway(List<String> names) {
    return names.stream()
        .allMatch(
            name ->
                means
                    .servers()
                    .sight(name)
                    .map(NodeSight::mode)
                    .map(NodeSight.DRAINED::equals)
                    .orElseGet(() -> means.board().power(name) == PowerSwitch.State.OFF));
  }

  /** Clients leave first: a drain cuts off what they have under way. */
  private void drain(List<String> names) throws InterruptedException {
    for (String name : names) {
      Optional<NodeSight> sight = means.servers().sight(name);
      if (sight.filter(its -> !its.mode().equals(NodeSight.DRAINED)).isPresent()) {
        if (sight.get().serves()) {
          means.servers().serve(name, false);
        }
        means.servers().drain(name);
        means.tell(name + " is drained");
      }
      means.servers().sight(name).filter(its -> !its.hints().areDelivered()).ifPresent(this::owes);
    }
  }

  private void owes(NodeSight sight) {
    throw new FailedWorkException(
        "it has hints for others that it has not delivered: a write at ONE may be in them alone",
        "node " + sight.node().name(),
        means.command("up") + " --undo, and shift again once they are delivered");
  }

  private ShiftStep window(List<String> staying) {
    return new ShiftStep(
        "window",
        "Have the nodes that stay keep hints for %d h"
            .formatted(TimeUnit.MILLISECONDS.toHours(WINDOW_MILLIS)),
        () -> staying.forEach(this::lengthen),
        () -> means.all(staying).stream().allMatch(RackSteps::isLong),
        () -> restore(state.kept()));
  }

  private static boolean isLong(NodeSight sight) {
    return sight.hints().windowMillis() >= WINDOW_MILLIS;
  }

  private void lengthen(String node) {
    if (!means.servers().sight(node).filter(RackSteps::isLong).isPresent()) {
      means.servers().keepHintsFor(node, WINDOW_MILLIS);
    }
  }

  private void restore(SortedMap<String, Kept> kept) {
    kept.forEach((node, was) -> means.servers().keepHintsFor(node, was.windowMillis()));
  }

  private ShiftStep windowBack() {
    return new ShiftStep(
        "window-back",
        "Have nodes keep hints for as long as before",
        () -> restore(state.kept()),
        () ->
            means.all(state.kept().keySet()).stream()
                .allMatch(
                    sight ->
                        Optional.ofNullable(state.kept().get(sight.node().name()))
                            .filter(was -> was.windowMillis() == sight.hints().windowMillis())
                            .isPresent()),
        () -> state.kept().keySet().forEach(this::lengthen));
  }

  private ShiftStep settle() {
    return new ShiftStep(
        "settle",
        "Note which racks are off: " + shift.after().words(),
        () -> means.write(means.state().with(shift.after())),
        () -> means.state().setting().equals(shift.after()),
        () -> means.write(means.state().with(shift.before())));
  }
}
