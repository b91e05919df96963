package org.calando.studyfile;

import java.util.Optional;

/**
 * What {@code calando govern} is to know of a cluster whose gear it governs. Immutable and thread
 * safe.
 *
 * @param inventory the cluster's file, relative to the governor's; empty for the local cluster
 * @param policy decides about the gear
 * @param nodeMegabytesPerSecond that a node reads and writes within what clients were promised, in
 *     10^6 bytes
 * @param periodNanos from one look to the next
 * @param profile name of the nodes' power profile
 * @param bandwidth bytes a second of catch-up; empty for as fast as it goes
 */
public record GearGovernSpec(
    Optional<String> inventory,
    GearChoice policy,
    double nodeMegabytesPerSecond,
    long periodNanos,
    String profile,
    Optional<Long> bandwidth) {}
