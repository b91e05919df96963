package org.calando.study;

import java.util.Optional;
import java.util.OptionalLong;
import org.calando.core.store.DeferralFigures;
import org.calando.core.store.DeferredWrites;
import org.calando.report.column.BufferColumns;
import org.calando.report.column.RunRecord;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a session's writes in the measured window, which includes the sending of what is
 * left at the end where a number of operations ends it. Its figures may be read when the run has
 * ended.
 */
final class DeferralWatch implements RunEdges {
  private final DeferredWrites writes;
  private final OptionalLong promisedNanos;
  private volatile long beganNanos;
  private volatile long endedNanos;
  private volatile @Nullable DeferralFigures figures;

  /**
   * A watch that has seen nothing yet.
   *
   * @param promisedNanos within which writes are promised to be visible; empty if nothing is
   */
  DeferralWatch(DeferredWrites writes, OptionalLong promisedNanos) {
    this.writes = writes;
    this.promisedNanos = promisedNanos;
  }

  @Override
  public void measurementBegan(long nanos) {
    beganNanos = nanos;
    writes.beginWindow();
  }

  @Override
  public void measurementEnded(long nanos) {
    endedNanos = nanos;
    figures =
        promisedNanos.isPresent() ? writes.figures(promisedNanos.getAsLong()) : writes.figures();
  }

  /** What became of the writes; empty if there was no window. */
  Optional<DeferralFigures> figures() {
    return Optional.ofNullable(figures);
  }

  /** Adds what is known to a run's record. */
  void record(RunRecord found) {
    found.give(BufferColumns.AT_RISK, atRisk());
    figures().ifPresent(found::add);
  }

  /**
   * The mean number of writes that were acknowledged and not on the store; NaN without a window.
   */
  private double atRisk() {
    DeferralFigures found = figures;
    long nanos = endedNanos - beganNanos;
    return found == null || nanos <= 0 ? Double.NaN : (double) found.riskNanos() / nanos;
  }
}
