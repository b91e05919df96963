package org.calando.knob.gear;

import org.calando.report.ValueOrder;
import org.calando.report.column.Column;
import org.calando.report.column.RunColumns;

/** From all nodes on to the fewest; policies come last, as they come. */
public final class GearOrder implements ValueOrder {
  @Override
  public Column column() {
    return RunColumns.GEAR;
  }

  @Override
  public int compare(String one, String other) {
    return Integer.compare(fewestOff(one), fewestOff(other));
  }

  private static int fewestOff(String gear) {
    return gear.matches("\\d{1,2}") ? -Integer.parseInt(gear) : 0;
  }
}
