package org.calando.control;

import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.time.Scheduler;

/**
 * A cluster whose nodes are switched on and off as a policy of gears says, in the cluster's own
 * time: a simulated one. A capability.
 */
public interface ShiftedNodes {
  /**
   * Begins in the policy's first gear, with a decision at the present time.
   *
   * @param model whose nodes are those of the cluster
   * @param listener hears of each decision
   */
  Shifting shift(
      Scheduler scheduler,
      Settings settings,
      GearModel model,
      GearPolicy policy,
      LoopListener listener);

  /**
   * How to observe.
   *
   * @param decideNanos from one decision to the next, above 0
   * @param speed local seconds that pass in a second, above 0; the cluster begins on a Monday,
   *     00:00
   * @param writtenBytes of a write, in the mean, 0 or more
   * @param noticeNanos from a shift down's order until nodes are taken out of service, 0 or more
   */
  record Settings(long decideNanos, double speed, double writtenBytes, long noticeNanos) {
    /** Checks the figures. */
    public Settings {
      if (decideNanos <= 0 || !(speed > 0) || !(writtenBytes >= 0) || noticeNanos < 0) {
        throw new IllegalArgumentException(
            "decisions each %d ns, speed %s, %s bytes a write, %d ns of notice"
                .formatted(decideNanos, speed, writtenBytes, noticeNanos));
      }
    }
  }

  /**
   * What has come of it since the beginning.
   *
   * @param atNanos until when
   * @param shifts orders to shift
   * @param bootJoules of nodes while they booted
   * @param movedBytes of writes that came to nodes that had missed them
   */
  record Totals(long atNanos, int shifts, double bootJoules, double movedBytes) {}

  /** Nodes that a policy switches. */
  interface Shifting extends AutoCloseable {
    /** What has come of it until now. */
    Totals totals();

    /** Decides no more. */
    @Override
    void close();
  }
}
