package org.calando.load.internal;

import org.calando.load.Backlog;

/** Where slots get their operations from: the closed or the open loop. */
interface Source {
  /** Starts the first operations. */
  void start();

  /**
   * The slot's operation has ended, or its pause. Either prepares its next one and returns true, or
   * takes the slot back and returns false.
   */
  boolean next(Slot slot);

  /** Whether a slot pauses after failures: not if something else limits the rate. */
  boolean pausesAfterFailures();

  /** The time has reached the window's end, or the run is to end: looks at it. */
  void wake();

  /** How far the source fell behind; to be asked after the end. */
  Backlog backlog();
}
