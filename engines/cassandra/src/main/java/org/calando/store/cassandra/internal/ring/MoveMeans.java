package org.calando.store.cassandra.internal.ring;

import java.time.Duration;
import org.calando.store.cassandra.MovePace;
import org.calando.store.cassandra.RingView;
import org.calando.store.cassandra.TokenMover;

/**
 * What moves nodes and watches them.
 *
 * @param view what the cluster tells
 * @param mover has nodes move
 * @param pace of the watch
 * @param within how long one step may take
 */
public record MoveMeans(RingView view, TokenMover mover, MovePace pace, Duration within) {}
