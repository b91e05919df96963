package org.calando.load;

/** Whether an operation counts; decided by the time at which it started. */
public enum Phase {
  /** Started before the measured window: performed and checked, but not counted. */
  WARMUP,
  /** Started in the measured window. */
  MEASURED;

  /** The name in result files. */
  public String label() {
    return this == WARMUP ? "warmup" : "measured";
  }
}
