package org.calando.store.hbase.internal;

import org.calando.core.store.Completion;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.jspecify.annotations.Nullable;

/**
 * The place of one operation under way, made once and reused. Thread safe: an answer that comes
 * when the operation has ended is ignored.
 */
final class Slot {
  private final int index;
  private long operation;
  private @Nullable Completion completion;

  Slot(int index) {
    this.index = index;
  }

  int index() {
    return index;
  }

  /**
   * Begins an operation.
   *
   * @return its number, which its answer has to name
   */
  synchronized long begin(Completion told) {
    if (completion != null) {
      throw new IllegalStateException("slot " + index + " has an operation under way");
    }
    completion = told;
    return ++operation;
  }

  /** Ends an operation, and frees the slot first: being told may start the next one. */
  void end(long number, Outcome outcome, long version) {
    Completion told;
    synchronized (this) {
      if (number != operation || completion == null) {
        return;
      }
      told = completion;
      completion = null;
    }
    told.complete(index, outcome, version);
  }

  /** Ends what is under way without an answer. */
  void abandon() {
    long number;
    synchronized (this) {
      number = operation;
    }
    end(number, Outcome.INDETERMINATE, Session.NO_VERSION);
  }
}
