package org.calando.load;

/** Why a run ended. */
public enum EndReason {
  /** All operations have been started. */
  OPERATIONS_DONE,
  /** The measured window's time is over. */
  DURATION_OVER,
  /** The arrival process has no further arrival. */
  ARRIVALS_EXHAUSTED,
  /** {@link LoadRun#stop} was called. */
  STOPPED,
  /** No operation succeeded for too long. */
  NO_SUCCESS,
  /** The generator itself failed: a defect. */
  INTERNAL_ERROR;

  /** Whether the run did what it was asked for. */
  public boolean isComplete() {
    return this == OPERATIONS_DONE || this == DURATION_OVER || this == ARRIVALS_EXHAUSTED;
  }
}
