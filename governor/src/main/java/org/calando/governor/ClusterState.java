package org.calando.governor;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.control.order.KnobOrders;
import org.calando.governor.order.Ordered;
import org.calando.governor.promise.LevelState;
import org.calando.governor.promise.PromiseState;

/**
 * How a cluster of the governor stands. Immutable and thread safe.
 *
 * @param name what the governor's file calls it
 * @param engine its engine
 * @param observing how it is observed
 * @param control how its knobs and its applications' sessions are controlled; empty if it is
 *     observed only
 * @param knobs what was set last, or decided
 * @param figures what it drew and answered
 * @param considered what policies that set nothing decide; empty if there are none
 * @param promises how what its clients are promised stands; empty if nothing is
 * @param orders what operators have ordered
 */
public record ClusterState(
    String name,
    String engine,
    Part observing,
    Optional<Part> control,
    List<Knob> knobs,
    ClusterFigures figures,
    Optional<Considered> considered,
    Optional<Promises> promises,
    Orders orders) {
  /**
   * What operators have ordered of the whole cluster. Immutable.
   *
   * @param pause while it is paused nothing is set
   * @param barred how many decisions were not set since
   * @param plans those that have begun and not ended, by their knobs
   * @param shiftLines what the gear's shift has reported, the newest last; nothing of one that has
   *     ended
   */
  public record Orders(
      Optional<Ordered> pause,
      long barred,
      Map<String, KnobOrders.OpenPlan> plans,
      List<String> shiftLines) {
    /** Copies the map. */
    public Orders {
      plans = Map.copyOf(plans);
      shiftLines = List.copyOf(shiftLines);
    }
  }

  /**
   * What policies that set nothing decide. Immutable.
   *
   * @param part how they decide
   * @param knobs what each would set
   */
  public record Considered(Part part, List<Knob> knobs) {
    /** Copies the list. */
    public Considered {
      knobs = List.copyOf(knobs);
    }
  }

  /**
   * How its promises stand. Immutable.
   *
   * @param part how they are measured
   * @param states each of them
   * @param levels what stale reads would be at other levels, the weakest first; none if unknown
   * @param changed what operators have changed, by the promise's word
   */
  public record Promises(
      Part part, List<PromiseState> states, List<LevelState> levels, Map<String, Ordered> changed) {
    /** Copies the lists. */
    public Promises {
      states = List.copyOf(states);
      levels = List.copyOf(levels);
      changed = Map.copyOf(changed);
    }
  }

  /**
   * A part of what is done to a cluster. Immutable.
   *
   * @param works whether it does what it is to do
   * @param since since when it does, or does not
   * @param problem why not, or what is amiss though it does; empty if all is well
   * @param failures how often it has failed since the governor began, 0 or more
   */
  public record Part(boolean works, Instant since, Optional<String> problem, long failures) {
    /** The same, which does not work before a node has answered: some ask none to begin. */
    Part once(boolean answered) {
      return answered || !works
          ? this
          : new Part(
              false, since, problem.or(() -> Optional.of("no node has answered yet")), failures);
    }

    /** What is amiss; empty of one that has not begun yet, as it is of each at first. */
    Optional<String> trouble() {
      return works || failures > 0 ? problem : Optional.empty();
    }

    /** Of both: works since the later if both work, or does not since the earlier that fails. */
    Part and(Part other) {
      boolean later = since.isAfter(other.since());
      Part told = works == other.works() ? (later == works ? this : other) : works ? other : this;
      String problems =
          Stream.of(problem, other.problem())
              .flatMap(Optional::stream)
              .collect(Collectors.joining("; "));
      return new Part(
          works && other.works(),
          told.since(),
          problems.isEmpty() ? Optional.empty() : Optional.of(problems),
          failures + other.failures());
    }
  }

  /**
   * What is known of a knob. Immutable.
   *
   * @param knob its name
   * @param target what it acts on; empty before something is decided
   * @param choice what it is held at, or the policy
   * @param value what was decided last, in the words of journals; empty before that
   * @param reasons why
   * @param since when it was decided
   * @param decisions how many there were
   * @param paused why it is not set for a while, though it is decided on; empty if it is set
   * @param savesWatts what a value that is considered only saves, as modelled; empty if unknown
   * @param order what operators have ordered of it
   */
  public record Knob(
      String knob,
      String target,
      String choice,
      Optional<String> value,
      List<String> reasons,
      Instant since,
      long decisions,
      Optional<Paused> paused,
      OptionalDouble savesWatts,
      Order order) {
    Knob with(Optional<Paused> nowPaused) {
      return new Knob(
          knob, target, choice, value, reasons, since, decisions, nowPaused, savesWatts, order);
    }

    Knob with(Order ordered) {
      return new Knob(
          knob, target, choice, value, reasons, since, decisions, paused, savesWatts, ordered);
    }

    /** The same, of which it is not known what it would save. */
    Knob withoutSaving() {
      return new Knob(
          knob,
          target,
          choice,
          value,
          reasons,
          since,
          decisions,
          paused,
          OptionalDouble.empty(),
          order);
    }
  }

  /**
   * What operators have ordered of a knob, and what came of it. Immutable.
   *
   * @param inForce what is set, in the words of journals; empty if that is not known, or it is as
   *     before
   * @param held at what, and by whom; empty if it is not
   * @param problem why it is not as ordered; empty if it is
   * @param barred why what is decided is not set: {@code paused} or {@code held}; empty if it is
   * @param canHold whether the knob has one value that it may be held at
   */
  public record Order(
      Optional<String> inForce,
      Optional<Ordered> held,
      Optional<String> problem,
      Optional<String> barred,
      boolean canHold) {
    static final Order NONE =
        new Order(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);
  }

  /**
   * Why a knob is not set for a while. Immutable.
   *
   * @param reason what failed
   * @param until when it is tried again
   */
  public record Paused(String reason, Instant until) {}

  /** Copies the list. */
  public ClusterState {
    knobs = List.copyOf(knobs);
  }

  /** Whether all that is to be done to it is done, and its knobs are as they were set. */
  public boolean isReady() {
    return works() && control.flatMap(Part::problem).isEmpty();
  }

  /** Whether all that is to be done to it is done. */
  public boolean works() {
    return observing.works()
        && control.map(Part::works).orElse(true)
        && promises.map(each -> each.part().works()).orElse(true);
  }
}
