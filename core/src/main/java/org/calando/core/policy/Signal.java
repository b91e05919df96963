package org.calando.core.policy;

/**
 * What one sensor says. Immutable and thread safe.
 *
 * @param value immutable
 * @param atNanos the time that it is of, on the loop's monotonic clock
 */
public record Signal<T>(T value, long atNanos) {}
