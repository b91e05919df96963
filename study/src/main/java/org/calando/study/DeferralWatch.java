package org.calando.study;

import java.util.Optional;
import org.calando.core.store.DeferralFigures;
import org.calando.core.store.DeferredWrites;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a session's writes in the measured window, which includes the sending of what is
 * left at the end where a number of operations ends it. Its figures may be read when the run has
 * ended.
 */
final class DeferralWatch implements RunEdges {
  private final DeferredWrites writes;
  private volatile long beganNanos;
  private volatile long endedNanos;
  private volatile @Nullable DeferralFigures figures;

  DeferralWatch(DeferredWrites writes) {
    this.writes = writes;
  }

  @Override
  public void measurementBegan(long nanos) {
    beganNanos = nanos;
    writes.beginWindow();
  }

  @Override
  public void measurementEnded(long nanos) {
    endedNanos = nanos;
    figures = writes.figures();
  }

  /** What became of the writes; empty if there was no window. */
  Optional<DeferralFigures> figures() {
    return Optional.ofNullable(figures);
  }

  /**
   * The mean number of writes that were acknowledged and not on the store; NaN without a window.
   */
  double atRisk() {
    DeferralFigures found = figures;
    long nanos = endedNanos - beganNanos;
    return found == null || nanos <= 0 ? Double.NaN : (double) found.riskNanos() / nanos;
  }
}
