package org.calando.governor;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How a cluster of the governor stands. Immutable and thread safe.
 *
 * @param name what the governor's file calls it
 * @param engine its engine
 * @param observing how it is observed
 * @param control how its knobs are controlled; empty if it is observed only
 * @param knobs what was set last, or decided
 * @param figures what it drew and answered
 */
public record ClusterState(
    String name,
    String engine,
    Part observing,
    Optional<Part> control,
    List<Knob> knobs,
    ClusterFigures figures) {
  /**
   * A part of what is done to a cluster. Immutable.
   *
   * @param works whether it does what it is to do
   * @param since since when it does, or does not
   * @param problem why not, or what is amiss though it does; empty if all is well
   * @param failures how often it has failed since the governor began, 0 or more
   */
  public record Part(boolean works, Instant since, Optional<String> problem, long failures) {}

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
   */
  public record Knob(
      String knob,
      String target,
      String choice,
      Optional<String> value,
      List<String> reasons,
      Instant since,
      long decisions) {}

  /** Copies the list. */
  public ClusterState {
    knobs = List.copyOf(knobs);
  }

  /** Whether all that is to be done to it is done. */
  public boolean works() {
    return observing.works() && control.map(Part::works).orElse(true);
  }
}
