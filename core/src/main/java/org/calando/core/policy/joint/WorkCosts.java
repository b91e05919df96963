package org.calando.core.policy.joint;

/**
 * Core time that operations take at the fastest clock, in seconds, and the time that their messages
 * are under way. What nodes are seen to be busy corrects it as a whole. Immutable and thread safe.
 *
 * @param operation of the coordinator, for each operation, 0 or more
 * @param message of the coordinator, for each replica that it asks, 0 or more
 * @param read of a replica, for each read, 0 or more
 * @param write of a replica, for each write, 0 or more
 * @param way of all messages of a read one after the other, 0 or more
 */
public record WorkCosts(double operation, double message, double read, double write, double way) {
  /**
   * Those fitted to the cluster of Li 2013: see {@code ServiceTimes.li2013} of the simulator. The
   * scale of a cluster of which nothing is known; only their ratios count once it is measured.
   */
  public static final WorkCosts LI_2013 =
      new WorkCosts(0.637e-3, 0.01e-3, 2.42e-3, 0.46e-3, 0.52e-3);

  /**
   * Those of servers in memory with one thread, by what a Redis 8 was seen to need of a core for a
   * GET and a SET of 100 bytes: docs/redis.md, read off-load. Likewise only a beginning.
   */
  public static final WorkCosts IN_MEMORY = new WorkCosts(5e-6, 2e-6, 3e-6, 4e-6, 0.5e-3);

  /** Checks the times. */
  public WorkCosts {
    for (double each : new double[] {operation, message, read, write, way}) {
      if (!(each >= 0 && each < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("core time of " + each + " s");
      }
    }
  }
}
