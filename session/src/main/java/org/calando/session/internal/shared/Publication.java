package org.calando.session.internal.shared;

/**
 * What a leader tells the others. Immutable and thread safe.
 *
 * @param sequence above that of the one before in the same time of leading
 * @param publishedNanos when, by the leader's own monotonic clock
 * @param instances how many there are
 * @param figures what was measured; its times are those since the publication, 0 or less
 * @param truth the canary's reads up to then, of which differences tell; its time likewise
 */
record Publication(
    long sequence, long publishedNanos, int instances, SignalFigures figures, TruthTotal truth) {}
