package org.calando.core.time;

/** The machine's monotonic clock. Thread safe. */
public final class SystemClock implements Clock {
  /** The only instance that is needed. */
  public static final SystemClock INSTANCE = new SystemClock();

  private SystemClock() {}

  @Override
  public long nanos() {
    return System.nanoTime();
  }
}
