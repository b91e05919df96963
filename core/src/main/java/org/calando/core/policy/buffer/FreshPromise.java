package org.calando.core.policy.buffer;

import org.calando.core.BadRequestException;

/**
 * What is promised of deferred writes. Immutable and thread safe.
 *
 * @param freshNanos from the call of a put until others can see it, at the 99th percentile, 1 ms or
 *     more
 * @param mostAtRisk writes that are acknowledged and not in the store, at any time, 1 or more;
 *     {@link #ANY} for no bound
 */
public record FreshPromise(long freshNanos, long mostAtRisk) {
  /** Stands for no bound. */
  public static final long ANY = Long.MAX_VALUE;

  private static final long LEAST_NANOS = 1_000_000;

  /**
   * Checks the values.
   *
   * @throws BadRequestException if one cannot be
   */
  public FreshPromise {
    if (freshNanos < LEAST_NANOS || freshNanos > Long.MAX_VALUE / 4 || mostAtRisk < 1) {
      throw new BadRequestException(
          "a promise of %d ns and %d writes at risk".formatted(freshNanos, mostAtRisk),
          "fresh",
          "promise 1 ms or more, and 1 write or more at risk");
    }
  }

  /** {@code fresh 500 ms}, with {@code , at risk 1000} where that is bounded. */
  public String text() {
    String time = "fresh " + BufferWords.time((double) freshNanos);
    return mostAtRisk == ANY ? time : time + ", at risk " + mostAtRisk;
  }
}
