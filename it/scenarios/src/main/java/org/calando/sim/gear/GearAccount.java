package org.calando.sim.gear;

/**
 * What a cluster with gears came to in a time. Immutable and thread safe.
 *
 * @param seconds the time
 * @param states time and energy of nodes
 * @param violationSeconds time in which the load was above what the nodes that were on served
 * @param offered operations that clients asked for
 * @param unserved operations of these that were not served
 * @param shifts orders to shift
 * @param writtenBytes new data, each byte once
 * @param movedBytes of replicas that were moved to their homes
 * @param owedBytes of replicas that were written elsewhere as their homes were off; less {@code
 *     movedBytes} it is by how much the debt has grown
 */
public record GearAccount(
    double seconds,
    NodeStates states,
    double violationSeconds,
    double offered,
    double unserved,
    int shifts,
    double writtenBytes,
    double movedBytes,
    double owedBytes) {
  /** Of no time. */
  public static final GearAccount NONE = new GearAccount(0, NodeStates.NONE, 0, 0, 0, 0, 0, 0, 0);

  /** Both together. */
  public GearAccount plus(GearAccount other) {
    return new GearAccount(
        seconds + other.seconds,
        states.plus(other.states),
        violationSeconds + other.violationSeconds,
        offered + other.offered,
        unserved + other.unserved,
        shifts + other.shifts,
        writtenBytes + other.writtenBytes,
        movedBytes + other.movedBytes,
        owedBytes + other.owedBytes);
  }

  /**
   * Energy in joules, with what is still to be spent on moving what was written in this time, and
   * without what was spent on moving what was written before.
   *
   * @param joulesPerByte of moving
   */
  public double settledJoules(double joulesPerByte) {
    return states.joules() + (owedBytes - movedBytes) * joulesPerByte;
  }
}
