package org.calando.core.store;

/**
 * A write that was acknowledged to the caller and did not reach the server. Immutable.
 *
 * @param key of its record
 * @param version of the write
 * @param maybeApplied whether the server may have it all the same: it gave no answer in time
 * @param why in the server's or the client's words
 */
public record FailedWrite(long key, long version, boolean maybeApplied, String why) {}
