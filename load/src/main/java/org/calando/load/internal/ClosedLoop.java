package org.calando.load.internal;

import org.calando.core.workload.OperationStream;
import org.calando.load.Backlog;
import org.calando.load.EndReason;
import org.calando.load.LoadSpec;
import org.calando.load.Phase;

/**
 * A slot for each client; the thread that ends a client's operation starts its next one. Thread
 * safe.
 */
final class ClosedLoop implements Source {
  private final Run run;
  private final OperationStream[] streams;

  ClosedLoop(Run run, LoadSpec spec) {
    this.run = run;
    this.streams = new OperationStream[spec.loop().slots()];
    for (int i = 0; i < streams.length; i++) {
      streams[i] = new OperationStream(spec.workload(), spec.inserts(), spec.seed(), i);
    }
  }

  @Override
  public void start() {
    for (int i = 0; i < streams.length; i++) {
      run.acquire();
    }
    for (int i = 0; i < streams.length; i++) {
      run.slot(i).startPaused();
    }
  }

  @Override
  public boolean next(Slot slot) {
    if (!run.isEnding()) {
      long now = run.clock().nanos();
      int place = run.admit(now);
      if (place <= Window.MEASURED) {
        streams[slot.index()].next(slot.operation());
        Phase phase = place == Window.MEASURED ? Phase.MEASURED : Phase.WARMUP;
        slot.begin(phase, slot.index(), now);
        return true;
      }
      run.end(place == Window.FULL ? EndReason.OPERATIONS_DONE : EndReason.DURATION_OVER);
    }
    slot.rest();
    run.release();
    return false;
  }

  @Override
  public boolean pausesAfterFailures() {
    return true;
  }

  @Override
  public void wake() {
    if (run.isWindowOver()) {
      run.end(EndReason.DURATION_OVER);
    }
  }

  @Override
  public Backlog backlog() {
    return Backlog.NONE;
  }
}
