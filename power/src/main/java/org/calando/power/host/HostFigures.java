package org.calando.power.host;

/**
 * What a whole machine has used since it started; -1 for what it does not tell.
 *
 * @param atNanos when that was true, on the ticker
 * @param incarnation tells one start of the machine from the next; counters start again with it
 * @param cpuNanos CPU time of all cores, without idle and waiting time and what a hypervisor took
 * @param hostCores cores of the machine, as the system counts them
 * @param memoryBytes memory in use: what is not available
 * @param diskReadBytes read from whole disks
 * @param diskWriteBytes written to them
 * @param netReceivedBytes received by physical interfaces
 * @param netSentBytes sent by them
 */
public record HostFigures(
    long atNanos,
    long incarnation,
    long cpuNanos,
    int hostCores,
    long memoryBytes,
    long diskReadBytes,
    long diskWriteBytes,
    long netReceivedBytes,
    long netSentBytes) {}
