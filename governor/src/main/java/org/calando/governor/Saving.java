package org.calando.governor;

import java.time.Instant;
import java.util.OptionalDouble;

/**
 * What a cluster's knobs save against nobody setting them, modelled by the nodes' profiles and
 * clocks; below 0 where they take more. Shifts are not in it. Immutable and thread safe.
 *
 * @param lowWatts now, at least; empty if it is not known
 * @param highWatts now, at most; likewise
 * @param since begin of the day
 * @param knownSeconds of the day in which it is known
 * @param unknownSeconds of the day in which it is not, such as before the governor began
 * @param lowJoules of the known time, at least
 * @param highJoules of the known time, at most
 */
public record Saving(
    OptionalDouble lowWatts,
    OptionalDouble highWatts,
    Instant since,
    double knownSeconds,
    double unknownSeconds,
    double lowJoules,
    double highJoules) {}
