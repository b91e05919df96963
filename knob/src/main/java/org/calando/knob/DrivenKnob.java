package org.calando.knob;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.calando.core.policy.Controller;
import org.calando.core.store.SessionRequest;
import org.calando.engine.StoreLayout;
import org.calando.engine.StoreSpec;
import org.calando.report.column.Column;
import org.calando.report.column.RunRecord;

/**
 * A knob with an axis and a driver of its own: its values are more than {@link KnobType} knows, or
 * what decides on it hears of the load. Found as a service, in {@code
 * META-INF/services/org.calando.knob.DrivenKnob}, by the constructor without parameters.
 *
 * <p>What a configuration says of it is the value of {@link #axis} in its point; where it has none,
 * nothing is asked for. Implementations are stateless and thread safe.
 */
public interface DrivenKnob {
  /** What a matrix varies. */
  Axis<?> axis();

  /**
   * Its place among the axes of knobs: in plans, in words and names of runs, and in what is begun
   * beside a load. Lower ones come first; levels, gears and clocks have 10, 20 and 30.
   */
  int rank();

  /**
   * Names of other axes that its values set, too: it decides on several knobs at once. Then it has
   * no key of its own in the matrix, and stands in {@code control} alone, in place of theirs.
   */
  default Set<String> covers() {
    return Set.of();
  }

  /**
   * Whether a cluster starts anew for each value. Runs of a value follow each other then, and no
   * policy sets it.
   */
  default boolean isOfCluster() {
    return false;
  }

  /** A matrix' choices, with what the store says itself where they say nothing of it. */
  default Choices orAs(Choices choices, StoreSpec store) {
    return choices;
  }

  /**
   * Whether nodes' idle power is measured with it in force: on a real cluster it begins before the
   * meter does.
   */
  default boolean isBeforeIdle() {
    return false;
  }

  /** How a cluster of a configuration lays out its data; empty if this knob does not say. */
  default Optional<StoreLayout> layout(Point point) {
    return Optional.empty();
  }

  /** The column of results.csv that has the label of what a run is set to; of the contract. */
  Column column();

  /** Tells results what a run is set to, also where it has no value. */
  default void identify(Point point, RunRecord record) {
    record.give(column(), point.say(axis(), Axis::label));
  }

  /** Checks where a study sets it against other keys; the store may be wrong by itself. */
  default void checkKeys(StudyChecks study) {}

  /** Checks its values in a study against the rest; right by themselves they are. */
  default void check(StudyChecks study) {}

  /**
   * Whether it says how writes are sent: the results of a run that sets it say what became of them.
   */
  default boolean isOfWrites() {
    return false;
  }

  /** Within which writes of a configuration are promised to be visible; empty if nothing is. */
  default OptionalLong promisedNanos(Point point) {
    return OptionalLong.empty();
  }

  /** What the session of a run on a real store is to be at first. */
  default SessionRequest session(SessionRequest request, Point point) {
    return request;
  }

  /** What decides in a run, and when its decisions are made again; empty if a value is held. */
  default Optional<Controller<?>> controller(Configuration configuration) {
    return Optional.empty();
  }

  /** So long its policy is to know of nodes that will leave before they do. */
  default long noticeNanos(Configuration configuration) {
    return 0;
  }

  /** So long the load is to go before its policy has figures to decide on. */
  default long warmUpNanos(Configuration configuration) {
    return 0;
  }

  /**
   * Begins to set it in a run that has a value of it; the session is open and the load has not
   * begun.
   *
   * @return what goes on beside the load, and is closed by the run; empty if nothing does
   */
  default Optional<RunPart> begin(KnobRun run) throws InterruptedException {
    return Optional.empty();
  }
}
