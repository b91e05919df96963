package org.calando.load.internal;

import java.util.concurrent.atomic.AtomicLong;
import org.calando.load.LoadSpec;

/**
 * Decides which operations start at all and which of them count. Thread safe; an answer is final,
 * so who asks must start the operation.
 */
final class Window {
  /** Answer: an operation of the warm-up. */
  static final int WARMUP = 0;

  /** Answer: an operation that counts. */
  static final int MEASURED = 1;

  /** Answer: none, all operations have been started. */
  static final int FULL = 2;

  /** Answer: none, the window's time is over. */
  static final int OVER = 3;

  private static final long NOT_YET = Long.MAX_VALUE;

  private final LoadSpec spec;
  private final AtomicLong warmupTaken = new AtomicLong();
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong from = new AtomicLong(NOT_YET);
  private volatile long earliestFrom;

  Window(LoadSpec spec) {
    this.spec = spec;
  }

  void begin(long startNanos) {
    earliestFrom = startNanos + spec.warmupNanos();
    if (beginsByTime()) {
      from.set(earliestFrom);
    }
  }

  /** Whether the window's begin is a time known from the start. */
  boolean beginsByTime() {
    return spec.warmupOperations() == 0 && !spec.beginsWhenTold();
  }

  /** Begins now, if the begin is not known; whether that was so. */
  boolean begins(long nanos) {
    return from.compareAndSet(NOT_YET, nanos);
  }

  /** Takes a place for an operation that starts now, or is intended to start then. */
  int admit(long nanos) {
    if (!isMeasured(nanos)) {
      return WARMUP;
    }
    if (spec.durationNanos() > 0 && nanos - from.get() >= spec.durationNanos()) {
      return OVER;
    }
    if (spec.operations() > 0 && taken.getAndIncrement() >= spec.operations()) {
      return FULL;
    }
    return MEASURED;
  }

  private boolean isMeasured(long nanos) {
    long begin = from.get();
    if (begin != NOT_YET) {
      // After a begin by count every operation counts, or a thread that read the clock just before
      // the one that began the window would add a warm-up operation.
      return !beginsByTime() || nanos >= begin;
    }
    if (spec.beginsWhenTold()) {
      return false;
    }
    if (warmupTaken.getAndIncrement() < spec.warmupOperations() || nanos < earliestFrom) {
      return false;
    }
    from.compareAndSet(NOT_YET, nanos);
    return true;
  }

  /** Whether all operations that count have begun, where their number is what ends the window. */
  boolean isFull() {
    return spec.operations() > 0 && taken.get() >= spec.operations();
  }

  /** Whether the begin is known, in the past or future. */
  boolean hasBegin() {
    return from.get() != NOT_YET;
  }

  /** The begin; only if it is known. */
  long fromNanos() {
    return from.get();
  }

  /** The end by time; Long.MAX_VALUE if there is none or the begin is not known. */
  long toNanos() {
    long begin = from.get();
    return spec.durationNanos() == 0 || begin == NOT_YET
        ? Long.MAX_VALUE
        : begin + spec.durationNanos();
  }
}
