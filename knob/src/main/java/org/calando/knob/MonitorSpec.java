package org.calando.knob;

/**
 * How runs observe the table that policies decide for.
 *
 * <p>Immutable and thread safe.
 *
 * @param staticLevels whether runs with a fixed level observe too, for what each estimate says of
 *     them
 * @param periodNanos from one decision to the next
 * @param windowNanos over how long the popularity of keys is learned
 * @param canariesPerSecond canaries a second
 */
public record MonitorSpec(
    boolean staticLevels, long periodNanos, long windowNanos, double canariesPerSecond) {}
