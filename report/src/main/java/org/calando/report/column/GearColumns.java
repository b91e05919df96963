package org.calando.report.column;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.calando.core.layout.gear.GearShift;

/** Columns of shifts of gear. */
public final class GearColumns {
  static final Contributor<GearFigures> GEARS =
      new Contributor<>(GearFigures.class, (found, run, summary) -> write(found, summary));

  public static final Column GEAR_SHIFTS =
      GEARS
          .column(
              "gear_shifts",
              "count",
              "shifts of gear: of a fixed gear those around the run, none of a simulated one; else those in it")
          .number(GearFigures::shifts);
  public static final Column SHIFT_ENERGY_J =
      GEARS
          .column(
              "shift_energy_j", "J", "modelled energy of shifts: of nodes that boot, and catch-up")
          .number(GearFigures::shiftJoules);
  public static final Column MOVED_BYTES =
      GEARS
          .column("moved_bytes", "bytes", "data sent to nodes that had been off")
          .number(GearFigures::movedBytes);
  public static final Column SHIFT_S =
      GEARS
          .column("shift_s", "s", "time that shifts took; empty for simulated clusters")
          .number(GearFigures::shiftSeconds);

  private GearColumns() {}

  private static void putBytes(ObjectNode entry, String name, long bytes) {
    if (bytes != GearShift.UNKNOWN) {
      entry.put(name, bytes);
    }
  }

  private static void write(GearFigures found, ObjectNode summary) {
    if (found.each().isEmpty()) {
      return;
    }
    ArrayNode shifts = summary.putArray("shifts");
    for (GearShift shift : found.each()) {
      ObjectNode entry = shifts.addObject();
      entry.put("from", shift.from());
      entry.put("to", shift.to());
      Contributor.put(entry, "seconds", shift.seconds());
      Contributor.put(entry, "catch_up_s", shift.catchUpSeconds());
      putBytes(entry, "moved_bytes", shift.movedBytes());
      putBytes(entry, "predicted_bytes", shift.predictedBytes());
      Contributor.put(entry, "joules", shift.joules());
      entry.put("provenance", "modelled");
    }
  }
}
