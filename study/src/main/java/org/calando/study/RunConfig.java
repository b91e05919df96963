package org.calando.study;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.calando.core.layout.WarmShare;
import org.calando.engine.StoreLayout;
import org.calando.knob.Axis;
import org.calando.knob.DrivenKnobs;
import org.calando.knob.GearChoice;
import org.calando.knob.GearSchema;
import org.calando.knob.Point;
import org.calando.studyfile.Axes;
import org.calando.studyfile.StudySpec;
import org.calando.studyfile.workload.RateSpec;
import org.calando.studyfile.workload.WorkloadSpec;

/**
 * One run: a configuration of the matrix in one repeat.
 *
 * @param id name of the run's folder, unique within the study
 * @param point what it is set to on each axis; exactly one of threads and rate has a value
 * @param named axes whose values words must name, as the study has others, or always
 * @param maxInFlight open loop: operations under way at most
 * @param clients open loop: logical clients
 * @param operations operations to measure, 0 for no limit
 * @param durationNanos length of the measured window, 0 for no limit
 * @param repeat number of the block, from 1
 * @param seed of operations and arrivals; the same for all configurations of a block, so that they
 *     are compared on the same sequence
 */
record RunConfig(
    String id,
    Point point,
    Set<Axis<?>> named,
    int maxInFlight,
    int clients,
    long operations,
    long durationNanos,
    int repeat,
    long seed) {

  /** The layout of the local cluster; empty for the cluster's own. */
  Optional<StoreLayout> layout() {
    return DrivenKnobs.layout(point);
  }

  /** What clients do, on which records and after which warm-up. */
  WorkloadSpec workload() {
    return point.get(Axes.WORKLOAD);
  }

  /** The gear, or the policy of gears; empty if all nodes are on. */
  Optional<GearChoice> gear() {
    return point.find(GearSchema.AXIS);
  }

  /** Of a closed loop. */
  OptionalInt threads() {
    return point.find(Axes.THREADS).map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  /** Of an open loop. */
  Optional<RateSpec> rate() {
    return point.find(Axes.RATE);
  }

  /** Whether clusters start anew between runs of the study. */
  boolean startsAnew() {
    return !Collections.disjoint(named, Axes.CLUSTER);
  }

  /** The token layout; empty for the cluster's own, or if it has no tokens. */
  Optional<WarmShare> tokens() {
    return layout().flatMap(StoreLayout::tokens);
  }

  /**
   * Time within which writes are promised to be visible: the study's promise to all, else the one
   * that the run's own knobs keep; empty if nothing is promised.
   */
  OptionalLong promised(StudySpec study) {
    return study.promisedNanos().isPresent()
        ? study.promisedNanos()
        : DrivenKnobs.promisedNanos(point);
  }

  /** The configuration in words, for progress lines. */
  String words() {
    List<String> values =
        Axes.NAMED.stream()
            .filter(named::contains)
            .map(axis -> point.say(axis, Axis::words))
            .filter(words -> !words.isEmpty())
            .toList();
    return String.join(", ", values) + ", repeat " + repeat;
  }
}
