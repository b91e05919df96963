package org.calando.sim.kernel;

/** A component that events happen to. */
@FunctionalInterface
public interface EventHandler {
  /**
   * Takes an event at its time, which the simulation's clock shows.
   *
   * @param kind what happens, as scheduled
   * @param payload to whom, as scheduled
   */
  void handle(int kind, int payload);
}
