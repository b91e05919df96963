package org.calando.studyfile;

import static org.calando.schema.Types.integer;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.calando.knob.Axis;
import org.calando.knob.DrivenKnob;
import org.calando.knob.DrivenKnobs;
import org.calando.knob.KnobAxis;
import org.calando.knob.KnobTypes;
import org.calando.studyfile.workload.RateSchema;
import org.calando.studyfile.workload.RateSpec;
import org.calando.studyfile.workload.WorkloadSchema;
import org.calando.studyfile.workload.WorkloadSpec;

/** What a matrix may vary. */
public final class Axes {
  private static final int MAX_CONCURRENT = 100_000;

  /** Knobs for which a cluster starts anew. */
  public static final List<Axis<?>> CLUSTER = driven(DrivenKnob::isOfCluster);

  /** What clients do; one or more in a study. */
  public static final Axis<WorkloadSpec> WORKLOAD =
      Axis.of(
          "workload",
          WorkloadSchema.ITEM,
          WorkloadSpec::label,
          "Workloads to compare: presets, or mappings; the study's workload then has no preset,"
              + " ycsb or mix, and has what they have in common.",
          "[heavy-read, moderate, {preset: heavy-update, field-size: 1KB}]");

  /** Closed loop: numbers of threads. */
  public static final Axis<Integer> THREADS =
      Axis.of(
              "threads",
              integer(1, MAX_CONCURRENT),
              String::valueOf,
              "Closed loop: numbers of threads, each with one operation at a time.",
              "[5, 20]")
          .called(threads -> threads + (threads == 1 ? " thread" : " threads"), n -> n + "t")
          .named();

  /** Open loop: arrivals. */
  public static final Axis<RateSpec> RATE =
      Axis.of(
              "rate",
              RateSchema.TYPE,
              RateSpec::label,
              "Open loop: arrivals that do not wait for earlier operations.",
              "[400/s, {poisson: 400/s}]")
          .named();

  /** Knobs whose values are known by what they say. */
  static final List<Axis<?>> OWN_KNOBS = driven(0, Integer.MAX_VALUE);

  /** What decides on several knobs at once. */
  static final List<DrivenKnob> JOINT =
      DrivenKnobs.all().stream().filter(knob -> !knob.covers().isEmpty()).toList();

  /** Knobs that are found as services. */
  public static final List<Axis<?>> SERVICES =
      KnobTypes.all().stream().<Axis<?>>map(KnobAxis::axis).toList();

  /** Those that policies choose, or one value holds, while a run goes. */
  public static final List<Axis<?>> KNOBS =
      Stream.concat(OWN_KNOBS.stream(), SERVICES.stream()).toList();

  /** All of them; in a plan the last one changes fastest. */
  public static final List<Axis<?>> ALL =
      Stream.of(CLUSTER, List.of(WORKLOAD), joint(), KNOBS, List.of(THREADS, RATE))
          .<Axis<?>>flatMap(List::stream)
          .toList();

  /** All in the order in which words and ids name them: first those that not every study has. */
  public static final List<Axis<?>> NAMED =
      Stream.concat(
              ALL.stream().filter(axis -> !axis.isNamed()), ALL.stream().filter(Axis::isNamed))
          .toList();

  private Axes() {}

  /** Knobs with drivers of their own that policies choose, by their ranks. */
  static List<Axis<?>> driven(int fromRank, int toRank) {
    return driven(
        knob ->
            !knob.isOfCluster()
                && knob.covers().isEmpty()
                && fromRank <= knob.rank()
                && knob.rank() <= toRank);
  }

  private static List<Axis<?>> joint() {
    return JOINT.stream().<Axis<?>>map(DrivenKnob::axis).toList();
  }

  /** Those that a knob sets beside its own. */
  static List<Axis<?>> covered(DrivenKnob knob) {
    return KNOBS.stream().filter(axis -> knob.covers().contains(axis.name())).toList();
  }

  private static List<Axis<?>> driven(Predicate<DrivenKnob> which) {
    return DrivenKnobs.all().stream().filter(which).<Axis<?>>map(DrivenKnob::axis).toList();
  }
}
