package org.calando.report.column;

import java.util.List;
import org.calando.core.layout.gear.GearShift;

/**
 * What gears came to: of the simulator in the measured window, of a real cluster as {@code each}
 * lists it. Immutable and thread safe.
 *
 * @param shifts orders to shift
 * @param shiftJoules energy of nodes while they booted; on a real cluster those of the shifts in
 *     {@code each}
 * @param movedBytes of writes that came to nodes that had missed them while they were off; NaN if
 *     that is not known
 * @param shiftSeconds that shifts took; NaN if that is not known
 * @param each shift of a real cluster, in order
 */
public record GearFigures(
    int shifts, double shiftJoules, double movedBytes, double shiftSeconds, List<GearShift> each) {
  /** Copies the list. */
  public GearFigures {
    each = List.copyOf(each);
  }

  /** Of a simulated cluster. */
  public static GearFigures simulated(int shifts, double shiftJoules, double movedBytes) {
    return new GearFigures(shifts, shiftJoules, movedBytes, Double.NaN, List.of());
  }

  private static double movedBytes(GearShift shift) {
    return shift.movedBytes() == GearShift.UNKNOWN ? Double.NaN : shift.movedBytes();
  }

  /** Of a real cluster. */
  public static GearFigures of(List<GearShift> each) {
    return new GearFigures(
        each.size(),
        each.stream().mapToDouble(GearShift::joules).sum(),
        each.stream().mapToDouble(GearFigures::movedBytes).sum(),
        each.stream().mapToDouble(GearShift::seconds).sum(),
        each);
  }
}
