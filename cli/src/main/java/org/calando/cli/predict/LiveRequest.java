package org.calando.cli.predict;

import org.calando.session.TableName;

/**
 * What to ask of a live cluster.
 *
 * @param table the table
 * @param nanos how long to look at it
 * @param write replicas that acknowledge a write, W
 * @param read replicas that a read asks, X
 * @param canary whether a canary may write to a keyspace that is not Calando's
 * @param lags whether lags are to be measured: nobody told Tp
 */
record LiveRequest(
    TableName table, long nanos, int write, int read, boolean canary, boolean lags) {}
