package org.calando.core.policy.gear;

import java.util.Optional;
import org.calando.core.policy.Observed;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;

/**
 * What is known of a cluster with gears. Immutable and thread safe.
 *
 * @param atNanos when the decision is taken, on the monotonic clock of who asks
 * @param localSeconds the same on the calendar of whoever uses the cluster: seconds of local time
 *     since a Monday's 00:00, 0 or more. In a trace that is compressed it runs that much faster
 * @param target the cluster's name
 * @param gear the gear that the cluster is in, or is being shifted to, 1 or more
 * @param failedNodes nodes that ought to be on in that gear and do not serve, 0 or more; those that
 *     are still booting in a shift do not count
 * @param load what clients ask for; empty if never told
 */
public record GearObservation(
    long atNanos, long localSeconds, String target, int gear, int failedNodes, Optional<Load> load)
    implements Observed {
  /** The signal of policies of gears. */
  public static final SignalId<GearObservation> GEARS =
      new SignalId<>("gears", GearObservation.class);

  public GearObservation {
    if (localSeconds < 0 || gear < 1 || failedNodes < 0) {
      throw new IllegalArgumentException(
          "local second %d, gear %d, %d failed nodes".formatted(localSeconds, gear, failedNodes));
    }
  }

  @Override
  public Signals signals() {
    return Signals.of(atNanos, target, GEARS, this);
  }

  /**
   * What clients ask for, served or not. Figures that make no sense are taken as unknown by
   * policies.
   *
   * @param atNanos end of the time over which it was measured
   * @param perSecond operations a second, 0 or more
   * @param writtenBytesPerSecond new data, each byte once however many replicas it has, 0 or more
   */
  public record Load(long atNanos, double perSecond, double writtenBytesPerSecond) {
    boolean isSound() {
      return perSecond >= 0
          && perSecond < Double.POSITIVE_INFINITY
          && writtenBytesPerSecond >= 0
          && writtenBytesPerSecond < Double.POSITIVE_INFINITY;
    }
  }
}
