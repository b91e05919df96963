package org.calando.power;

/**
 * One run of one process: ids are used again, but not with the same start.
 *
 * @param pid process id
 * @param startTicks start of the process after boot, in clock ticks (field 22 of {@code
 *     /proc/PID/stat})
 */
public record NodeProcess(long pid, long startTicks) {}
