package org.calando.study;

import java.util.Optional;
import org.calando.control.DecisionLog;
import org.calando.control.HeldBuffer;

/**
 * Notes the decisions of a policy of write buffers, and keeps account of those of the measured
 * window. Thread safe.
 */
final class BufferAccount implements RunEdges {
  private final DecisionLog log;
  private boolean measuring;
  private int decisions;
  private int changes;
  private int beyond;
  private String lastBeyond = "";

  BufferAccount(DecisionLog log) {
    this.log = log;
  }

  /** Notes a decision. */
  synchronized void decided(HeldBuffer.Decided decided) {
    log.decided(decided.decision(), decided.set().words());
    if (measuring) {
      decisions++;
      changes += decided.changed() ? 1 : 0;
      decided
          .notToBeHad()
          .ifPresent(
              words -> {
                beyond++;
                lastBeyond = words;
              });
    }
  }

  @Override
  public synchronized void measurementBegan(long nanos) {
    log.measurementBegan(nanos);
    measuring = true;
  }

  @Override
  public synchronized void measurementEnded(long nanos) {
    log.measurementEnded();
    measuring = false;
  }

  /** Decisions in the measured window. */
  synchronized int decisions() {
    return decisions;
  }

  /** Those of them that set something else than before. */
  synchronized int changes() {
    return changes;
  }

  /** That the promise was not to be had, in words with figures; empty if it never was so. */
  synchronized Optional<String> notToBeHad() {
    return beyond == 0
        ? Optional.empty()
        : Optional.of("%s: in %d of %d decisions".formatted(lastBeyond, beyond, decisions));
  }
}
