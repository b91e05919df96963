package org.calando.core.policy.clock;

import java.time.Duration;

/**
 * What a replica at a lower clock must keep to, as predicted. Immutable and thread safe.
 *
 * @param busyShare greatest busy share of its main thread, above 0, below 1
 * @param lagShare part of the guard's limits that its lag may come to, above 0, at most 1: less
 *     than 1, or it is raised again as soon as it is lowered
 * @param readNanos greatest time of a read within the server, queueing included, in the mean; above
 *     0. Counts for replicas that serve reads
 */
public record SlackLimits(double busyShare, double lagShare, long readNanos) {
  public SlackLimits {
    if (!(busyShare > 0 && busyShare < 1 && lagShare > 0 && lagShare <= 1 && readNanos > 0)) {
      throw new IllegalArgumentException(
          "limits of %s busy, %s of the lag, %d ns a read"
              .formatted(busyShare, lagShare, readNanos));
    }
  }

  /**
   * What is usual: busy for 60 % of the time, half the lag that the guard allows, 200 us a read.
   */
  public static SlackLimits defaults() {
    return new SlackLimits(0.6, 0.5, Duration.ofNanos(200_000).toNanos());
  }
}
