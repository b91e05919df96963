package org.calando.core.store;

/** How an operation on a store ended. */
public enum Outcome {
  /** Acknowledged (write) or answered (read) at its level. */
  OK,
  /** A read found no record. */
  NOT_FOUND,
  /** Refused before anything was done, for example because too few replicas are alive. */
  REFUSED,
  /**
   * No answer in time, or the connection broke: a write may or may not take effect, now or later.
   */
  INDETERMINATE,
  /** The store answered with an error that leaves no effect. */
  FAILED;

  /** Whether the operation counts as an error in results. */
  public boolean isError() {
    return this == REFUSED || this == INDETERMINATE || this == FAILED;
  }
}
