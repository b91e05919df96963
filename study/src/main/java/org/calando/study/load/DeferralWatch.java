package org.calando.study.load;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.calando.core.store.DeferralFigures;
import org.calando.core.store.DeferredWrites;
import org.calando.core.store.Session;
import org.calando.knob.RunPart;
import org.calando.report.column.BufferColumns;
import org.calando.report.column.RunRecord;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a session's writes in the measured window, which includes the sending of what is
 * left at the end where a number of operations ends it. Its figures may be read when the run has
 * ended.
 */
public final class DeferralWatch implements RunPart {
  private final Session session;
  private final boolean named;
  private final DeferredWrites writes;
  private final OptionalLong promisedNanos;
  private volatile long beganNanos;
  private volatile long endedNanos;
  private volatile @Nullable DeferralFigures figures;

  /**
   * A watch that has seen nothing yet.
   *
   * @param named whether {@link FailedWriteLog} names writes that fail
   * @param promisedNanos within which writes are promised to be visible; empty if nothing is
   */
  public DeferralWatch(
      Session session, DeferredWrites writes, OptionalLong promisedNanos, boolean named) {
    this.session = session;
    this.named = named;
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

  @Override
  public void record(RunRecord found) {
    found.give(BufferColumns.AT_RISK, atRisk());
    DeferralFigures known = figures;
    if (known != null) {
      found.add(known);
      if (named && known.failed() > 0) {
        found.note(lost(known.failed()));
      }
    }
  }

  /** They were acknowledged, and count as done in throughput and energy. */
  private List<String> lost(long failed) {
    List<String> notes = new ArrayList<>();
    notes.add(
        failed
            + " writes were acknowledged and then failed: throughput includes them, "
            + FailedWriteLog.FILE
            + " names them");
    notes.addAll(session.errors());
    return notes;
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
