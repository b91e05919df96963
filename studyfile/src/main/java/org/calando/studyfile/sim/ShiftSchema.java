package org.calando.studyfile.sim;

import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.number;

import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Units;
import org.calando.schema.Values;
import org.calando.sim.away.ShiftCosts;

/** What {@code store.sim.shift} may say. Defaults are those of a Cassandra that was measured. */
final class ShiftSchema {
  private static final long LONGEST_NANOS = 3_600_000_000_000L;
  private static final ShiftCosts MEASURED = ShiftCosts.CASSANDRA;

  private static final Key<Double> COLD =
      Key.of(
              "cold",
              number(0, 10_000),
              "How much longer work takes on a node whose process has just started: 1.5 is two and a"
                  + " half times as long.")
          .byDefault(Units.formatNumber(MEASURED.cold()))
          .example("1.5");
  private static final Key<Double> COLD_OPERATIONS =
      Key.of(
              "cold-operations",
              number(1, 1e12),
              "Requests, reads and writes of such a node after which that is a share of 1 / e of"
                  + " what it was.")
          .byDefault(Units.formatNumber(MEASURED.coldOperations()))
          .example("5000");
  private static final Key<Long> START =
      time(
          "start",
          "Time from when a node's machine has booted until others use it, and send its hints.",
          MEASURED.startNanos());
  private static final Key<Long> START_CPU =
      time("start-cpu", "Core time of the node meanwhile.", MEASURED.startWorkNanos());
  private static final Key<Long> PROVE =
      time(
          "prove",
          "Time from the last hint that came to the node until clients use it.",
          MEASURED.proveNanos());
  private static final Key<Long> NOTICE =
      time(
          "notice",
          "Time from the order of a shift down until a node is taken out of service; it serves"
              + " meanwhile.",
          MEASURED.noticeNanos());
  private static final Key<Long> STOP =
      time(
          "stop",
          "Time from when a node is taken out of service until it is off.",
          MEASURED.stopNanos());
  private static final Key<Long> STOP_CPU =
      time("stop-cpu", "Core time of the node meanwhile.", MEASURED.stopWorkNanos());
  private static final Key<Long> HINT_WRITE =
      time(
          "hint-write",
          "Core time of a coordinator for a hint it keeps.",
          MEASURED.hintWriteNanos());
  private static final Key<Long> HINT_SEND =
      time(
          "hint-send",
          "Core time of a coordinator for a hint it sends; to receive one takes what a write does.",
          MEASURED.hintSendNanos());

  /** What it costs nodes to be switched off and on. */
  static final ObjectType<ShiftCosts> TYPE =
      ObjectType.named(
              "shifts",
              "Cost for nodes to be switched off and on, beyond the boot of power.profile; times"
                  + " are of the fastest clock.")
          .keys(
              COLD,
              COLD_OPERATIONS,
              START,
              START_CPU,
              PROVE,
              NOTICE,
              STOP,
              STOP_CPU,
              HINT_WRITE,
              HINT_SEND)
          .build(ShiftSchema::build);

  private ShiftSchema() {}

  private static Key<Long> time(String name, String doc, long byDefault) {
    return Key.of(name, duration(0, LONGEST_NANOS), doc)
        .byDefault(Units.formatNanos(byDefault))
        .example(Units.formatNanos(byDefault));
  }

  private static ShiftCosts build(Values shift) {
    return new ShiftCosts(
        shift.get(COLD),
        shift.get(COLD_OPERATIONS),
        shift.get(START),
        shift.get(START_CPU),
        shift.get(PROVE),
        shift.get(NOTICE),
        shift.get(STOP),
        shift.get(STOP_CPU),
        shift.get(HINT_WRITE),
        shift.get(HINT_SEND));
  }
}
