package org.calando.sim.cluster;

/** A delay for each pair of nodes, beside what their racks have between them. Immutable. */
@FunctionalInterface
public interface LinkDelays {
  /** No message is delayed. */
  LinkDelays NONE = (from, to) -> 0;

  /**
   * What a message from one node to another takes longer.
   *
   * @param from the sender's number
   * @param to the receiver's number, another one
   * @return nanoseconds, 0 or more
   */
  long nanos(int from, int to);
}
