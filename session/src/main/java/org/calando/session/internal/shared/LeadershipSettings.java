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
 * @param readers so many instances together read, and try for a free lease, as often as one alone
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
    long rest,
    double readers) {
  private static final long SECOND = 1_000_000_000;

  /** The usual ones, with another time until an instance is idle. */
  public static LeadershipSettings usual(long rest) {
    return of(10 * SECOND, 3 * SECOND, SECOND, rest, 12);
  }

  /**
   * Those of a governor, of which there is one, however many instances it knows of: when it decides
   * for them the one that leads leaves, and what that measured is too old to decide on after ten
   * seconds. Its lease is short, as it waits for that of its former self when it is started again
   * after a kill, and is renewed so often that one renewal may be lost, however long that takes. It
   * reads often, as it decides on what a leading session publishes until it leads itself.
   */
  public static LeadershipSettings ofGovernor(long rest) {
    return of(6 * SECOND, SECOND, SECOND / 4, rest, Double.POSITIVE_INFINITY);
  }

  private static LeadershipSettings of(
      long lease, long renew, long read, long rest, double readers) {
    return new LeadershipSettings(
        lease, renew, SECOND, SECOND, read, 6 * SECOND, 60 * SECOND, 10 * SECOND, rest, readers);
  }
}
