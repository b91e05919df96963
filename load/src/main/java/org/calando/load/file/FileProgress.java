package org.calando.load.file;

/**
 * What a load has done since its begin, warm-up included. Immutable.
 *
 * @param reads pieces
 * @param readBytes of them
 * @param writes pieces
 * @param writtenBytes of them
 * @param errors of all kinds
 */
public record FileProgress(
    long reads, long readBytes, long writes, long writtenBytes, long errors) {}
