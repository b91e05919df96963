package org.calando.core.policy.gear;

import java.util.Collections;
import java.util.List;

/**
 * What new data costs that is written while nodes are off. Immutable and thread safe.
 *
 * @param homedPerByte by group of nodes (those that a gear adds to the one below it), the bytes of
 *     replicas that have their home there for each byte of new data, 0 or more; what is homed on
 *     groups that are off is written elsewhere and is moved when they are on again
 * @param bytesPerSecond how fast it is moved, above 0
 * @param joulesPerByte energy of moving, above what nodes draw anyway, 0 or more
 * @param capacityShare share of the nodes' capacity that moving takes meanwhile, 0 or more and less
 *     than 1
 */
public record CatchUpModel(
    List<Double> homedPerByte, double bytesPerSecond, double joulesPerByte, double capacityShare) {
  public CatchUpModel {
    homedPerByte = List.copyOf(homedPerByte);
    if (homedPerByte.stream().anyMatch(share -> !(share >= 0 && Double.isFinite(share)))) {
      throw new IllegalArgumentException("bytes homed of each written: " + homedPerByte);
    }
    if (!(bytesPerSecond > 0)
        || !(joulesPerByte >= 0 && Double.isFinite(joulesPerByte))
        || !(capacityShare >= 0 && capacityShare < 1)) {
      throw new IllegalArgumentException(
          "catch-up of %s bytes/s, %s J/byte, %s of the capacity"
              .formatted(bytesPerSecond, joulesPerByte, capacityShare));
    }
  }

  /** Nothing is written, or needs moving. */
  public static CatchUpModel none(int groups) {
    return new CatchUpModel(Collections.nCopies(groups, 0.0), 1, 0, 0);
  }

  /**
   * Bytes to move for each byte written in a gear, once another is shifted to.
   *
   * @param from the lower gear, 1 or more
   * @param to the higher gear; for one that is not, 0
   */
  public double movedPerByte(int from, int to) {
    double sum = 0;
    for (int group = from; group < to; group++) {
      sum += homedPerByte.get(group);
    }
    return sum;
  }
}
