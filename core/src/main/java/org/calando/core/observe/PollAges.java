package org.calando.core.observe;

/*
 * To find when a replica has a write takes reads, and each of them is load. The ages asked at lie
 * close together around the lag that the replica last had, where the answer is likely, and go on in
 * ratio to the age beyond it: about five reads tell a usual lag within a tenth, and none is spent on
 * a replica that has the write at once.
 */
/** At which ages of a write a replica is asked for it. Immutable and thread safe. */
final class PollAges {
  private static final double[] AROUND = {0.5, 0.8, 0.95, 1.1, 1.3, 1.6, 2};
  private static final double BEYOND = 1.5;

  private final double expectedSeconds;

  /**
   * Ages for a replica.
   *
   * @param expectedSeconds its lag as far as known, more than 0
   */
  PollAges(double expectedSeconds) {
    this.expectedSeconds = expectedSeconds;
  }

  /** The next age after one at which the replica did not have the write, in seconds. */
  double after(double ageSeconds) {
    for (double factor : AROUND) {
      if (factor * expectedSeconds > ageSeconds) {
        return factor * expectedSeconds;
      }
    }
    return ageSeconds * BEYOND;
  }
}
