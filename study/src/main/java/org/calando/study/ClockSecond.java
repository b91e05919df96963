package org.calando.study;

import java.util.OptionalLong;
import org.calando.core.replication.Role;

/**
 * A node whose clock is managed, at the end of a second. Immutable and thread safe.
 *
 * @param second of the measured window, from 0, as in ops.csv
 * @param node its name
 * @param role what it says to be
 * @param kiloHertz its clock, 0 if it is not known
 * @param cpuSeconds CPU time of its process since the row before; NaN if it is not known
 * @param lagBytes bytes that it has yet to apply; empty for a master, and where it is not known
 * @param lagNanos age of what it has yet to apply, likewise
 */
record ClockSecond(
    long second,
    String node,
    Role role,
    long kiloHertz,
    double cpuSeconds,
    OptionalLong lagBytes,
    OptionalLong lagNanos) {}
