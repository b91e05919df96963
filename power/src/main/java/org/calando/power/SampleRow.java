package org.calando.power;

/**
 * One node in one interval between two samplings, about a second long and shorter at the edges of a
 * phase. What could not be read is NaN, and -1 for bytes.
 *
 * @param second whole seconds from the sampler's start to the middle of the interval
 * @param phase the phase that the interval lies in
 * @param node the node's name
 * @param cpuSeconds CPU time used in the interval
 * @param cpuPercent that time as a share of the node's cores, 0 to 100 (above where this machine
 *     did more than the cores of the node's profile could)
 * @param rssBytes resident memory of the process at the interval's end
 * @param memoryBytes memory in use on the node's host at the interval's end
 * @param diskReadBytes bytes read from disks in the interval
 * @param diskWriteBytes bytes written to disks
 * @param netReceivedBytes bytes received from the network
 * @param netSentBytes bytes sent to the network
 * @param watts mean power in the interval
 * @param joules energy of the interval, without gaps
 * @param gap true if readings do not cover the whole interval
 */
public record SampleRow(
    long second,
    String phase,
    String node,
    double cpuSeconds,
    double cpuPercent,
    long rssBytes,
    long memoryBytes,
    long diskReadBytes,
    long diskWriteBytes,
    long netReceivedBytes,
    long netSentBytes,
    double watts,
    double joules,
    boolean gap) {}
