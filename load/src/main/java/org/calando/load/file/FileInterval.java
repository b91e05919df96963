package org.calando.load.file;

/**
 * What ended within a second of a load, warm-up and drain included.
 *
 * @param second from its begin, 0 for the first
 * @param reads pieces
 * @param readBytes of them
 * @param writes pieces
 * @param writtenBytes of them
 * @param errors of all kinds
 */
public record FileInterval(
    long second, long reads, long readBytes, long writes, long writtenBytes, long errors) {}
