package org.calando.core.staleness;

import java.util.Arrays;

/**
 * Counts the time in which newer writes of a key are acknowledged. Immutable and thread safe.
 *
 * <p>Of the writes that began s seconds ago a share G(s) is acknowledged by now. A write of that
 * age has been overtaken by w int_0^s G newer ones in the mean, w being the key's writes a second:
 * this clock shows int_0^s G. It stands still until the quickest acknowledgement, then goes slower
 * than time, and as fast as time behind the slowest.
 */
final class AckClock {
  private final double[] acks;
  // What the clock shows at each of them.
  private final double[] shown;

  /**
   * A clock.
   *
   * @param ackSeconds how long the acknowledgement of each sampled write took, finite, 0 or more;
   *     at least one
   */
  AckClock(double[] ackSeconds) {
    acks = ackSeconds.clone();
    Arrays.sort(acks);
    shown = new double[acks.length];
    for (int i = 1; i < acks.length; i++) {
      shown[i] = shown[i - 1] + share(i) * (acks[i] - acks[i - 1]);
    }
  }

  /** What is shown when a write is so old, in seconds since its begin. */
  double at(double seconds) {
    int piece = piece(acks, seconds);
    return piece == 0 ? 0 : shown[piece - 1] + share(piece) * (seconds - acks[piece - 1]);
  }

  /** How old a write is when a time above 0 is shown. */
  double ageAt(double time) {
    // Where two acknowledgements took the same time, any of their pieces will do.
    int piece = Math.max(1, piece(shown, time));
    return acks[piece - 1] + (time - shown[piece - 1]) / share(piece);
  }

  /** Of values in ascending order, the number of those that are no more than one. */
  static int piece(double[] values, double value) {
    int from = 0;
    int to = values.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (values[middle] > value) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  }

  private double share(int acknowledged) {
    return (double) acknowledged / acks.length;
  }
}
