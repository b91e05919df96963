package org.calando.power.internal;

import org.calando.power.PowerSample;

/**
 * Turns a server's counter, a number that only grows until the server starts again, into energy.
 * Where it falls, the energy since the reading before is not known: the server may have been down,
 * and a processor's counter that wrapped below it does not say at which value. Not thread safe.
 */
public final class EnergyCounter {
  private final double joulesPerUnit;
  private double lastUnits = Double.NaN;
  private double joules;

  /** A counter that has not been read, of units of so many joules. */
  public EnergyCounter(double joulesPerUnit) {
    this.joulesPerUnit = joulesPerUnit;
  }

  /** Takes a reading; the first begins at 0 J. */
  public PowerSample.Energy advance(long atNanos, double units) {
    boolean reset = units < lastUnits;
    if (units > lastUnits) {
      joules += (units - lastUnits) * joulesPerUnit;
    }
    lastUnits = units;
    return new PowerSample.Energy(atNanos, joules, reset);
  }
}
