package org.calando.studyfile;

import java.util.List;
import java.util.Optional;
import org.calando.engine.StoreSpec;
import org.calando.knob.Axis;
import org.calando.knob.Choices;
import org.calando.knob.DrivenKnob;
import org.calando.knob.DrivenKnobs;
import org.calando.knob.Point;
import org.calando.studyfile.workload.WorkloadSpec;

/**
 * The configurations that are compared: every value of each axis with every value of each other,
 * and with every point of {@code control}.
 *
 * <p>Immutable and thread safe. There are values of exactly one of {@link Axes#THREADS} and {@link
 * Axes#RATE}.
 *
 * @param choices the values of each axis
 * @param control values of several axes at once, which are on no axis of {@code choices}; empty if
 *     there are none
 * @param maxInFlight open loop: operations under way at most; 0 for a closed loop
 * @param clients open loop: clients, one of which each operation belongs to at random; 0 for a
 *     closed loop
 * @param operations measured operations of a run; 0 for by duration, or as each workload says
 * @param durationNanos measured time of a run; 0 for by operations, or as each workload says
 */
public record MatrixSpec(
    Choices choices,
    List<Point> control,
    int maxInFlight,
    int clients,
    long operations,
    long durationNanos) {
  /** Copies the list. */
  public MatrixSpec {
    control = List.copyOf(control);
  }

  /** Whether some run has a value of an axis. */
  public boolean sets(Axis<?> axis) {
    return !of(axis).isEmpty() || control.stream().anyMatch(point -> point.axes().contains(axis));
  }

  /** The values of an axis by itself; none if it is left to the store, or to {@code control}. */
  public <V> List<V> of(Axis<V> axis) {
    return choices.of(axis);
  }

  /** The configurations, in the order of {@link Axes#ALL}. */
  public List<Point> points() {
    return choices.points(Axes.ALL, control.isEmpty() ? List.of(Point.NONE) : control);
  }

  /** Whether operations arrive at a rate and do not wait for those before them. */
  public boolean isOpenLoop() {
    return !of(Axes.RATE).isEmpty();
  }

  /**
   * The same with what it leaves open as the study says: the workload itself, the length of runs,
   * and what the store says itself.
   *
   * @param store empty to leave that open
   */
  public MatrixSpec orAs(WorkloadSpec common, Optional<StoreSpec> store) {
    List<WorkloadSpec> own = of(Axes.WORKLOAD);
    List<WorkloadSpec> workloads =
        own.isEmpty() ? List.of(common) : own.stream().map(each -> each.orAs(common)).toList();
    Choices whole = choices.with(Axes.WORKLOAD, workloads);
    if (store.isPresent()) {
      for (DrivenKnob knob : DrivenKnobs.all()) {
        whole = knob.orAs(whole, store.get());
      }
    }
    return new MatrixSpec(
        whole,
        control,
        maxInFlight,
        clients,
        hasLength() ? operations : common.operations(),
        hasLength() ? durationNanos : common.durationNanos());
  }

  /** Whether it says how long its runs are; otherwise each of its workloads does. */
  public boolean hasLength() {
    return operations > 0 || durationNanos > 0;
  }

  /** Number of configurations. */
  public long configurations() {
    return choices.count(Math.max(1, control.size()));
  }
}
