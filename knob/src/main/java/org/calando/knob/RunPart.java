package org.calando.knob;

import org.calando.load.Interval;
import org.calando.load.IntervalListener;
import org.calando.report.column.RunRecord;

/**
 * What takes part in a run, its load or what goes on beside it. The load generator's threads report
 * the load's course to it; its other methods belong to the run's thread.
 */
public interface RunPart extends IntervalListener, AutoCloseable {
  /**
   * The load begins.
   *
   * @param nanos when, on the load's clock
   */
  default void loadBegins(long nanos) {}

  @Override
  default void interval(Interval interval) {}

  /** The load is over; blocks until this has seen all that belongs to the measured window. */
  default void end() throws InterruptedException {}

  /** Adds its figures and notes to the run's record, and why the run failed, if it knows. */
  default void record(RunRecord found) {}

  @Override
  default void close() {}
}
