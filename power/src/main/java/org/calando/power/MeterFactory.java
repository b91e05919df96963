package org.calando.power;

import java.util.List;

/** Opens one kind of meter, or says why a cluster has none. Thread safe. */
public interface MeterFactory {
  /** Short name, as in a study's {@code power.meter}. */
  String id();

  /**
   * Why the meter cannot tell these nodes' energy, or an empty string if it seems able to.
   *
   * @param nodes the nodes
   * @param usage what they use
   */
  String obstacle(List<MeteredNode> nodes, UsageSource usage);

  /**
   * Opens a meter: energy counts from now. Every node has been read once when this returns.
   *
   * @param nodes the nodes, whose order gives them their index
   * @param usage what the nodes use
   * @param ticker clock of the readings
   * @param intervalNanos time between two readings of a node, above 0
   * @throws MeterException if a node cannot be read
   * @throws InterruptedException if the waiting thread was interrupted
   */
  Meter open(List<MeteredNode> nodes, UsageSource usage, Ticker ticker, long intervalNanos)
      throws MeterException, InterruptedException;
}
