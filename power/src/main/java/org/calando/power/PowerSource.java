package org.calando.power;

/**
 * Where the energy of one machine is read: a processor's counters, outlets of a power distribution
 * unit, a management controller, a metrics server.
 *
 * <p>Sources are values: nodes that name equal sources run on one metered machine, and its energy
 * is shared among them. Immutable and thread safe; a password is named, never held.
 */
public interface PowerSource {
  /** Kind of meter, as in a study's {@code power.meter}: {@code snmp}, {@code ipmi}, ... */
  String kind();

  /** The instrument and the place on it, for messages and reports; without secrets. */
  String describe();

  /**
   * Starts to read it.
   *
   * @param ticker clock of the samples
   * @throws MeterException if it cannot be read at all, with the remedy
   */
  PowerProbe open(Ticker ticker) throws MeterException;
}
