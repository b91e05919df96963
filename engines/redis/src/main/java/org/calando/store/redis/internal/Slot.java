package org.calando.store.redis.internal;

import org.calando.core.store.Completion;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.jspecify.annotations.Nullable;

/**
 * The place of one operation under way, made once and reused. An operation is one request or
 * several; it ends with the last of them, or with the first that fails. Thread safe: an answer that
 * comes when the operation has ended is ignored.
 */
final class Slot {
  enum Kind {
    READ,
    WRITE,
    SCAN
  }

  private final int index;
  private long operation;
  private Kind kind = Kind.READ;
  private @Nullable Completion completion;
  private long begunNanos;
  private int due;
  private boolean found;
  private long version;

  Slot(int index) {
    this.index = index;
  }

  /**
   * Begins an operation.
   *
   * @param requests whose answers it waits for, 1 or more
   * @return its number, which its answers have to name
   */
  synchronized long begin(Kind newKind, Completion told, int requests, long nowNanos) {
    if (completion != null) {
      throw new IllegalStateException("slot " + index + " has an operation under way");
    }
    kind = newKind;
    completion = told;
    due = requests;
    begunNanos = nowNanos;
    found = false;
    version = Session.NO_VERSION;
    return ++operation;
  }

  /** The kind of the operation under way, or of the last one. */
  synchronized Kind kind() {
    return kind;
  }

  /** One request found a record, or did what it was to do. */
  void answered(long number, long itsVersion) {
    Completion told;
    long newest;
    synchronized (this) {
      if (number != operation || completion == null) {
        return;
      }
      found = true;
      version = kind == Kind.READ ? Math.max(version, itsVersion) : Session.NO_VERSION;
      if (--due > 0) {
        return;
      }
      newest = version;
      told = take();
    }
    tell(told, Outcome.OK, newest);
  }

  /** One request found no record. */
  void absent(long number) {
    Completion told;
    Outcome outcome;
    long newest;
    synchronized (this) {
      if (number != operation || completion == null || --due > 0) {
        return;
      }
      outcome = found || kind == Kind.SCAN ? Outcome.OK : Outcome.NOT_FOUND;
      newest = version;
      told = take();
    }
    tell(told, outcome, newest);
  }

  /** One request failed, and so does the operation. */
  void failed(long number, Outcome outcome) {
    Completion told;
    synchronized (this) {
      if (number != operation || completion == null) {
        return;
      }
      told = take();
    }
    tell(told, outcome, Session.NO_VERSION);
  }

  /**
   * Ends an operation that has taken too long.
   *
   * @return whether there was one
   */
  boolean expire(long nowNanos, long timeoutNanos) {
    Completion told;
    synchronized (this) {
      if (completion == null || nowNanos - begunNanos < timeoutNanos) {
        return false;
      }
      told = take();
    }
    tell(told, Outcome.INDETERMINATE, Session.NO_VERSION);
    return true;
  }

  /** Frees the slot before the completion is told, since that may start the next operation. */
  private @Nullable Completion take() {
    Completion told = completion;
    completion = null;
    return told;
  }

  private void tell(@Nullable Completion told, Outcome outcome, long itsVersion) {
    if (told != null) {
      told.complete(index, outcome, itsVersion);
    }
  }
}
