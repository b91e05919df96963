package org.calando.gears;

/**
 * What a catch-up came to. Immutable.
 *
 * @param transfers carried out
 * @param bytes copied
 * @param predicted bytes before it began
 * @param copySeconds from its beginning until the last copy was checked and reported
 * @param seconds in all, until the store had let the old replicas go and all was looked at again
 */
public record CatchUpTotals(
    long transfers, long bytes, long predicted, double copySeconds, double seconds) {}
