package org.calando.power;

/** Tells what each node has used, by index. Thread safe. */
@FunctionalInterface
public interface UsageSource {
  /**
   * The newest figures of a node; at once, without asking it where {@link #immediate} is false.
   *
   * @param node index of the node, from 0
   * @throws MeterException if its process has ended, or it cannot be read or did not answer
   */
  NodeUsage read(int node) throws MeterException;

  /**
   * Asks every node at once for new figures.
   *
   * @param deadlineNanos when to give up waiting, on the clock of the sampling
   */
  default Refresh refresh(long deadlineNanos) {
    return Refresh.NONE;
  }

  /** The longest that the sources usually take to renew their figures, 0 if they are always new. */
  default long renewalNanos() {
    return 0;
  }

  /** Whether anybody tells what a node uses; {@link #read} fails for ever if not. */
  default boolean knows(int node) {
    return true;
  }

  /** Whether the node's machine is off by order: it uses nothing, and draws its off power. */
  default boolean isOff(int node) {
    return false;
  }

  /** Whether a reading takes microseconds and is new each time. */
  default boolean immediate() {
    return true;
  }

  /** CPU time of this machine spent so far on threads of the source's own, in nanoseconds. */
  default long ownCpuNanos() {
    return 0;
  }
}
