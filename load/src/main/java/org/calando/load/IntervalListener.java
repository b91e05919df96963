package org.calando.load;

/**
 * Told about a run as it goes, but for {@link #mayHaveEnded} by one thread at a time, on the thread
 * of the housekeeping scheduler or the one that ends the run. To be quick: later intervals wait.
 */
@FunctionalInterface
public interface IntervalListener {
  /** Takes an interval that has ended. */
  void interval(Interval interval);

  /**
   * The measured window has begun; called once, soon after.
   *
   * @param nanos when, on the run's clock
   */
  default void measurementBegan(long nanos) {}

  /**
   * A measured operation has ended, and none of them begins any more: unless another that is under
   * way ends later, a window of a number of operations is over now. Told at once, and on the thread
   * that took the answer, which is any of those that complete operations.
   *
   * @param nanos when, on the run's clock
   */
  default void mayHaveEnded(long nanos) {}

  /**
   * The measured window is over; called once, soon after, if it had begun. Intervals of operations
   * that began in the window and end after it may follow.
   *
   * @param nanos when, on the run's clock
   */
  default void measurementEnded(long nanos) {}
}
