package org.calando.core.layout.gear;

/**
 * A shift of a real cluster's gear. Immutable and thread safe.
 *
 * @param from the gear before
 * @param to the gear after
 * @param seconds from the order until the plan was done, catch-up included
 * @param catchUpSeconds of it, until new blocks were at home
 * @param movedBytes copied by the catch-up; {@link #UNKNOWN} where nobody counts them
 * @param predictedBytes that the catch-up was to copy before it began, or {@link #UNKNOWN}
 * @param joules of the shift, modelled
 */
public record GearShift(
    int from,
    int to,
    double seconds,
    double catchUpSeconds,
    long movedBytes,
    long predictedBytes,
    double joules) {
  /** Stands for bytes that nobody counts. */
  public static final long UNKNOWN = -1;
}
