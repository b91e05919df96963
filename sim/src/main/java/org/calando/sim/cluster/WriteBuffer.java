package org.calando.sim.cluster;

import org.calando.core.BadRequestException;

/**
 * Deferred writes, as HBase's client does them: a write is acknowledged as soon as it is in its
 * client's buffer, is at risk from then on, and is sent when the buffer is full or too old. The
 * write that fills a buffer waits until all of it has ended, as a client of HBase does, and is told
 * what the cluster says to itself; nobody is told of the others, which were acknowledged before.
 * Reads do not look into the buffer.
 *
 * @param mostWrites writes that fill a buffer, 1 or more
 * @param mostAgeNanos age of the oldest write at which a buffer is sent, 1 .. a quarter of
 *     Long.MAX_VALUE; Long.MAX_VALUE for no limit
 * @param costShare what the coordinator's work for a write of a buffer costs, as a share of that
 *     for a write by itself, since many share a request: 0 .. 1
 * @param shared whether all operations that may be under way fill one buffer, else each has one
 */
public record WriteBuffer(int mostWrites, long mostAgeNanos, double costShare, boolean shared) {
  private static final int MOST = 1 << 24;
  private static final long MOST_NANOS = Long.MAX_VALUE / 4;

  /**
   * Checks the values.
   *
   * @throws BadRequestException if one cannot be
   */
  public WriteBuffer {
    boolean ages = mostAgeNanos != Long.MAX_VALUE;
    if (mostWrites < 1
        || mostWrites > MOST
        || mostAgeNanos < 1
        || (ages && mostAgeNanos > MOST_NANOS)) {
      throw new BadRequestException(
          "a buffer of %d writes and %d ns".formatted(mostWrites, mostAgeNanos),
          "write buffer",
          "1 to 2^24 writes, and 1 ns to 2^61 - 1 ns or no limit");
    }
    if (!(costShare >= 0 && costShare <= 1)) {
      throw new BadRequestException(
          "a cost share of %s is not 0 to 1".formatted(costShare), "write buffer", "");
    }
  }

  /** A buffer that all of a client's operations fill. */
  public WriteBuffer(int mostWrites, long mostAgeNanos, double costShare) {
    this(mostWrites, mostAgeNanos, costShare, true);
  }
}
