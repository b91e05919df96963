package org.calando.knob;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.rate;

import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;

/** What {@code monitor} may say. */
public final class MonitorSchema {
  private static final long MILLI_NANOS = 1_000_000;
  private static final long HOUR_NANOS = 3_600_000_000_000L;
  private static final double MAX_CANARIES = 100;

  private static final Key<Boolean> STATIC_LEVELS =
      Key.of(
              "static-levels",
              bool(),
              "Whether runs with a fixed level are observed too: results then tell what each estimate"
                  + " says of them, and they carry the monitor's load like the others.")
          .byDefault("false")
          .example("true");
  private static final Key<Long> PERIOD =
      Key.of("period", duration(100 * MILLI_NANOS, HOUR_NANOS), "Time between decisions.")
          .byDefault("1s")
          .example("500ms");
  private static final Key<Long> WINDOW =
      Key.of(
              "window",
              duration(100 * MILLI_NANOS, HOUR_NANOS),
              "Over how long the popularity of keys is learned; a period or more.")
          .byDefault("5s")
          .example("10s");
  private static final Key<Double> CANARIES =
      Key.of("canaries", rate(MAX_CANARIES), "Writes and reads that measure how late replicas are.")
          .byDefault("5/s")
          .example("10/s");

  private static final ObjectType<MonitorSpec> TYPE =
      ObjectType.named("the monitor", "How runs with policies observe the table.")
          .keys(STATIC_LEVELS, PERIOD, WINDOW, CANARIES)
          .check(MonitorSchema::check)
          .build(
              monitor ->
                  new MonitorSpec(
                      monitor.get(STATIC_LEVELS),
                      monitor.get(PERIOD),
                      monitor.get(WINDOW),
                      monitor.get(CANARIES)));

  /** The key of studies. */
  public static final Key<MonitorSpec> MONITOR =
      Key.of("monitor", TYPE, "How runs with policies observe the table.")
          .byDefault("{}")
          .example("{static-levels: true, canaries: 10/s}");

  private MonitorSchema() {}

  private static void check(Values monitor) {
    if (monitor.find(WINDOW).orElse(Long.MAX_VALUE) < monitor.find(PERIOD).orElse(0L)) {
      monitor.errorAt("window", "is shorter than a period", "write a period or more");
    }
  }
}
