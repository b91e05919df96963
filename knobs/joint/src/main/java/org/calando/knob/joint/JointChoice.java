package org.calando.knob.joint;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.duration;

import org.calando.core.policy.joint.JointLimits;
import org.calando.core.store.ConsistencyLevel;
import org.calando.schema.Key;
import org.calando.schema.Names;
import org.calando.schema.ObjectType;
import org.calando.schema.Units;

/**
 * How a joint controller is asked to keep the study's promise. Immutable and thread safe.
 *
 * @param write level of writes
 * @param residencyNanos how long another gear must have been cheaper before it is shifted to
 * @param dryRun whether what is decided is noted and not set
 */
record JointChoice(ConsistencyLevel write, long residencyNanos, boolean dryRun) {
  private static final Key<ConsistencyLevel> WRITE =
      Key.of(
              "write",
              choice("a consistency level", Names.of(ConsistencyLevel.values())),
              "Level of writes, which stays.")
          .byDefault("QUORUM")
          .example("ONE");
  private static final Key<Long> RESIDENCY =
      Key.of(
              "residency",
              duration(0, 86_400_000_000_000L),
              "How long another gear must have been cheaper before it is shifted to, if shifting"
                  + " there and back pays by then; one that is needed is shifted to at once.")
          .byDefault("10m")
          .example("60s");

  private static final Key<Boolean> DRY_RUN =
      Key.of(
              "dry-run",
              bool(),
              "On a real cluster: decides and notes its decisions, and sets nothing: reads are safe,"
                  + " all nodes are on at their fastest clocks, and writes are strong.")
          .example("true");

  static final ObjectType<JointChoice> TYPE =
      ObjectType.named(
              "a joint controller",
              "Decides on read levels, the gear, clocks and buffers of writes at once, so that the"
                  + " study's promise is kept with the fewest watts; see docs/joint.md.")
          .keys(WRITE, RESIDENCY, DRY_RUN)
          .build(
              joint ->
                  new JointChoice(
                      joint.get(WRITE), joint.get(RESIDENCY), joint.find(DRY_RUN).orElse(false)));

  /** What results call it, with what is not as usual. */
  String label() {
    StringBuilder label = new StringBuilder("joint");
    if (write != ConsistencyLevel.QUORUM) {
      label.append("/").append(write);
    }
    if (residencyNanos != JointLimits.defaults().residencyNanos()) {
      label.append(" (residency ").append(Units.formatNanos(residencyNanos)).append(")");
    }
    if (dryRun) {
      label.append(" (dry run)");
    }
    return label.toString();
  }
}
