package org.calando.clock;

/**
 * What was done to clocks since the begin of a lease. Immutable and thread safe.
 *
 * @param set writes that read back as wanted
 * @param changed writes that were taken and read back otherwise
 * @param refused writes that the kernel refused
 * @param gone writes to policies that were not there
 * @param held requests for a clock that another node on the same cores kept higher
 */
public record ClockCounts(long set, long changed, long refused, long gone, long held) {}
