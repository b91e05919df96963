package org.calando.load;

import org.calando.load.internal.RateArrivals;

/**
 * When the operations of an open loop are to start: an immutable description from which any number
 * of equal sequences can be begun. Thread safe.
 */
public interface ArrivalProcess {
  /** A sequence has no further arrival. */
  long NONE = Long.MAX_VALUE;

  /**
   * Begins a sequence.
   *
   * @param seed the same seed gives the same sequence
   */
  Arrivals begin(long seed);

  /** One sequence of arrivals; not thread safe. */
  @FunctionalInterface
  interface Arrivals {
    /**
     * The next arrival in nanoseconds from the start of the run, not before the last one, or {@link
     * ArrivalProcess#NONE}.
     */
    long nextNanos();
  }

  /**
   * Poisson arrivals: exponential gaps.
   *
   * @param perSecond mean rate, greater than 0
   */
  static ArrivalProcess poisson(double perSecond) {
    return poisson(RateProfile.constant(perSecond));
  }

  /** Arrivals whose number since the start follows the profile exactly: no randomness. */
  static ArrivalProcess even(RateProfile profile) {
    return seed -> RateArrivals.even(profile);
  }

  /** Poisson arrivals whose rate follows the profile. */
  static ArrivalProcess poisson(RateProfile profile) {
    return seed -> RateArrivals.poisson(profile, seed);
  }
}
