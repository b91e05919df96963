package org.calando.gears;

/**
 * What a catch-up came to. Immutable.
 *
 * @param transfers carried out
 * @param bytes copied
 * @param predicted bytes before it began
 * @param seconds in all, until the store had let the old replicas go
 */
public record CatchUpTotals(long transfers, long bytes, long predicted, double seconds) {}
