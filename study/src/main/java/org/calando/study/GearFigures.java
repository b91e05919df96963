package org.calando.study;

/**
 * What gears came to in the measured window. Immutable and thread safe.
 *
 * @param shifts orders to shift
 * @param shiftJoules energy of nodes while they booted
 * @param movedBytes of writes that came to nodes that had missed them while they were off
 */
record GearFigures(int shifts, double shiftJoules, double movedBytes) {}
