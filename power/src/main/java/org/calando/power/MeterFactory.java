package org.calando.power;

import java.util.List;

/** Opens one kind of meter, or says why this machine or cluster has none. Thread safe. */
public interface MeterFactory {
  /** Short name, as in a study's {@code power.meter}. */
  String id();

  /** Why the meter cannot tell these nodes' energy, or an empty string if it can. */
  String obstacle(List<MeteredNode> nodes);

  /**
   * Opens a meter: energy counts from now.
   *
   * @param nodes the nodes, whose order gives them their index
   * @param usage what the nodes' processes use
   * @param ticker clock of the readings
   * @throws MeterException if the nodes cannot be read
   */
  Meter open(List<MeteredNode> nodes, UsageSource usage, Ticker ticker) throws MeterException;
}
