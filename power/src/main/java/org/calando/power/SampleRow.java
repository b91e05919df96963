package org.calando.power;

/**
 * One node in one interval between two samplings, about a second long and shorter at the edges of a
 * phase. What could not be read is NaN, and -1 for memory.
 *
 * @param second whole seconds from the sampler's start to the middle of the interval
 * @param phase the phase that the interval lies in
 * @param node the node's name
 * @param cpuSeconds CPU time used in the interval
 * @param cpuPercent that time as a share of the cores of the node's profile, 0 to 100 (above where
 *     this machine did more than the profile's could)
 * @param rssBytes resident memory at the interval's end
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
    double watts,
    double joules,
    boolean gap) {}
