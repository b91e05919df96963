package org.calando.studyfile;

import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.listOrMapping;
import static org.calando.schema.Types.longInteger;
import static org.calando.schema.Types.mapped;

import java.util.List;
import org.calando.knob.Axis;
import org.calando.knob.Choices;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Type;
import org.calando.schema.Values;
import org.calando.studyfile.workload.WorkloadTypes;

/** What {@code matrix} may say. */
final class MatrixSchema {
  private static final int MAX_PARTS = 20;
  private static final int MAX_CONCURRENT = 100_000;

  /** Ranks of knobs whose keys stand before those of the load, and between them. */
  private static final int LAST_BEFORE_LOAD = 10;

  private static final int LAST_OF_LOAD = 30;

  private static final Key<Integer> MAX_IN_FLIGHT =
      Key.of(
              "max-in-flight",
              integer(1, MAX_CONCURRENT),
              "Open loop: operations under way at most; more are delayed and their waiting counts."
                  + " On files at most 256.")
          .byDefaultWith("rate", "1000")
          .example("512");
  private static final Key<Integer> CLIENTS =
      Key.of(
              "clients",
              integer(1, MAX_CONCURRENT),
              "Open loop: clients, one of which each operation belongs to at random, for"
                  + " read-your-writes and monotonic reads; in a closed loop each thread is a"
                  + " client.")
          .byDefaultWith("rate", "16")
          .example("16");

  private static final Key<Long> OPERATIONS =
      Key.of(
              "operations",
              longInteger(1, WorkloadTypes.MAX_COUNT),
              "Measured operations of a run, in place of the workload's.")
          .example("4000");
  private static final Key<Long> DURATION =
      Key.of("duration", WorkloadTypes.TIME, "Measured time of a run, in place of the workload's.")
          .example("20s");

  private static final ObjectType<MatrixSpec> PART =
      ObjectType.named(
              "the matrix",
              "What is compared: every layout with every workload, every consistency level, every"
                  + " gear, every policy of clocks, every write buffer and every number of threads"
                  + " or rate.")
          .keys(keys(Axes.CLUSTER))
          .keys(Axes.WORKLOAD.key())
          .keys(keys(Axes.driven(0, LAST_BEFORE_LOAD)))
          .keys(Axes.THREADS.key(), Axes.RATE.key())
          .keys(keys(Axes.driven(LAST_BEFORE_LOAD + 1, LAST_OF_LOAD)))
          .keys(MAX_IN_FLIGHT, CLIENTS, OPERATIONS, DURATION)
          .keys(keys(Axes.driven(LAST_OF_LOAD + 1, Integer.MAX_VALUE)))
          .keys(ControlSchema.KEY)
          .keys(keys(Axes.SERVICES))
          .check(MatrixSchema::check)
          .check(ControlSchema::check)
          .build(MatrixSchema::build);

  /** One part, or a list of parts. */
  static final Type<List<MatrixSpec>> TYPE =
      listOrMapping(list(PART, 1, MAX_PARTS), mapped(PART, List::of));

  private MatrixSchema() {}

  private static Key<?>[] keys(List<Axis<?>> axes) {
    return axes.stream().map(Axis::key).toArray(Key<?>[]::new);
  }

  private static void check(Values matrix) {
    matrix.requireExactlyOne(Axes.THREADS.key(), Axes.RATE.key());
    matrix.requireAtMostOne(OPERATIONS, DURATION);
    if (!matrix.given(Axes.RATE.key())) {
      matrix.forbid("is valid only for an open loop, with rate", MAX_IN_FLIGHT, CLIENTS);
    }
  }

  private static MatrixSpec build(Values matrix) {
    Choices choices = Choices.NONE;
    for (Axis<?> axis : Axes.ALL) {
      if (Axes.JOINT.stream().noneMatch(knob -> knob.axis().equals(axis))) {
        choices = with(choices, axis, matrix);
      }
    }
    return new MatrixSpec(
        choices,
        matrix.find(ControlSchema.KEY).orElse(List.of()),
        matrix.find(MAX_IN_FLIGHT).orElse(0),
        matrix.find(CLIENTS).orElse(0),
        matrix.find(OPERATIONS).orElse(0L),
        matrix.find(DURATION).orElse(0L));
  }

  private static <V> Choices with(Choices choices, Axis<V> axis, Values matrix) {
    return choices.with(axis, matrix.find(axis.key()).orElse(List.of()));
  }
}
