package org.calando.power;

/**
 * What a node's process has used since it started.
 *
 * @param incarnation tells one process of the node from the next; CPU time starts again with it
 * @param cpuNanos CPU time, user and system, of all threads
 * @param rssBytes resident memory
 */
public record NodeUsage(long incarnation, long cpuNanos, long rssBytes) {}
