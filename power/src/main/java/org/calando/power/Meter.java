package org.calando.power;

import java.util.List;

/**
 * Tells the energy of each of a cluster's nodes, by index.
 *
 * <p>Counters that wrap are unwrapped by the meter, and samples of power integrated ({@link
 * org.calando.core.energy.WrappingCounter}, {@link org.calando.core.energy.PowerIntegrator}). A
 * meter on a slow line is asked by {@link #refresh} and answers {@link #read} at once with the
 * newest figures and their time.
 *
 * <p>Not thread safe: one thread uses it at a time.
 */
public interface Meter extends AutoCloseable {
  /** What the figures are. */
  MeterInfo info();

  /**
   * Asks for new figures of every node at once.
   *
   * @param deadlineNanos when to give up waiting, on the meter's clock
   */
  default Refresh refresh(long deadlineNanos) {
    return Refresh.NONE;
  }

  /** Whether {@link #refresh} and {@link #read} take microseconds, so that anyone may call them. */
  default boolean immediate() {
    return true;
  }

  /**
   * The newest figures of a node.
   *
   * @param node index of the node, from 0
   * @throws MeterException if there is no figure; a later reading may succeed and says in its gap
   *     what was missed
   */
  EnergyReading read(int node) throws MeterException;

  /** CPU time of this machine spent so far on threads of the meter's own, in nanoseconds. */
  default long ownCpuNanos() {
    return 0;
  }

  /** What a reader of the figures so far must know besides, a line each; empty if nothing. */
  default List<String> notes() {
    return List.of();
  }

  /** Releases what the meter holds. */
  @Override
  void close();
}
