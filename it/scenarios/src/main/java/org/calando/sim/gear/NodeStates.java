package org.calando.sim.gear;

/**
 * What the nodes of a cluster spent their time and energy on. Immutable and thread safe. Seconds
 * are those of all nodes together.
 *
 * @param onSeconds on, and serving
 * @param bootSeconds being switched on
 * @param stopSeconds being switched off
 * @param offSeconds off
 * @param idleJoules idle power of nodes that are on
 * @param workJoules power above that of serving clients
 * @param catchUpJoules energy of moving what was written in lower gears
 * @param bootJoules of nodes being switched on
 * @param stopJoules of nodes being switched off
 * @param offJoules of nodes that are off
 */
public record NodeStates(
    double onSeconds,
    double bootSeconds,
    double stopSeconds,
    double offSeconds,
    double idleJoules,
    double workJoules,
    double catchUpJoules,
    double bootJoules,
    double stopJoules,
    double offJoules) {
  /** Nothing. */
  public static final NodeStates NONE = new NodeStates(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** All joules. */
  public double joules() {
    return idleJoules + workJoules + catchUpJoules + bootJoules + stopJoules + offJoules;
  }

  /** All time of all nodes. */
  public double seconds() {
    return onSeconds + bootSeconds + stopSeconds + offSeconds;
  }

  /** Both together. */
  public NodeStates plus(NodeStates other) {
    return new NodeStates(
        onSeconds + other.onSeconds,
        bootSeconds + other.bootSeconds,
        stopSeconds + other.stopSeconds,
        offSeconds + other.offSeconds,
        idleJoules + other.idleJoules,
        workJoules + other.workJoules,
        catchUpJoules + other.catchUpJoules,
        bootJoules + other.bootJoules,
        stopJoules + other.stopJoules,
        offJoules + other.offJoules);
  }
}
