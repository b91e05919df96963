package org.calando.core.time;

/** Monotonic time in nanoseconds; only differences mean anything. Thread safe. */
@FunctionalInterface
public interface Clock {
  /** Nanoseconds since an arbitrary but fixed origin. */
  long nanos();
}
