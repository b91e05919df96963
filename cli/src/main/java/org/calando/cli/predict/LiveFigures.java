package org.calando.cli.predict;

import java.util.Optional;
import org.calando.core.staleness.PropagationLags;

/**
 * What a live cluster told of a table. Immutable.
 *
 * @param table its full name
 * @param seconds for which it was looked at
 * @param replicas of each key, N
 * @param readsPerSecond of all clients
 * @param writesPerSecond of all clients
 * @param writeBytes mean size of a write; NaN if not known
 * @param lags of the canary's writes; empty without a canary
 */
record LiveFigures(
    String table,
    double seconds,
    int replicas,
    double readsPerSecond,
    double writesPerSecond,
    double writeBytes,
    Optional<PropagationLags> lags) {}
