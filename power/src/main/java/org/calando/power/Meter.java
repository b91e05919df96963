package org.calando.power;

import java.util.List;

/**
 * Tells the energy of each of a cluster's nodes, by index.
 *
 * <p>Counters that wrap are unwrapped by the meter, and samples of power integrated ({@link
 * org.calando.core.energy.WrappingCounter}, {@link org.calando.core.energy.PowerIntegrator}). A
 * reading takes milliseconds at most: a meter on a slow line polls it from a thread of its own and
 * answers with the newest figures and their time.
 *
 * <p>Not thread safe: one thread reads at a time.
 */
public interface Meter extends AutoCloseable {
  /** What the figures are. */
  MeterInfo info();

  /**
   * Reads a node.
   *
   * @param node index of the node, from 0
   * @throws MeterException if there is no figure; a later reading may succeed and says in its gap
   *     what was missed
   */
  EnergyReading read(int node) throws MeterException;

  /** What a reader of the figures so far must know besides, a line each; empty if nothing. */
  default List<String> notes() {
    return List.of();
  }

  /** Releases what the meter holds. */
  @Override
  void close();
}
