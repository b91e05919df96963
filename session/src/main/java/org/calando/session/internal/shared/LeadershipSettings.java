package org.calando.session.internal.shared;

/**
 * How often instances do what {@link Leadership} tells them, all in nanoseconds. Immutable and
 * thread safe.
 *
 * @param lease how long a lease holds
 * @param renew between two renewals
 * @param retry until something that failed is tried again
 * @param publish between two publications
 * @param read between two readings of a few instances
 * @param longestRead between two readings of however many
 * @param register between two notes of an instance
 * @param count between two counts
 * @param rest how long without a read until an instance is idle
 */
public record LeadershipSettings(
    long lease,
    long renew,
    long retry,
    long publish,
    long read,
    long longestRead,
    long register,
    long count,
    long rest) {
  private static final long SECOND = 1_000_000_000;

  /** The usual ones, with another time until an instance is idle. */
  public static LeadershipSettings usual(long rest) {
    return new LeadershipSettings(
        10 * SECOND,
        3 * SECOND,
        SECOND,
        SECOND,
        SECOND,
        6 * SECOND,
        60 * SECOND,
        10 * SECOND,
        rest);
  }
}
