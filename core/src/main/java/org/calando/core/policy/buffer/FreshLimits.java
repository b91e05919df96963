package org.calando.core.policy.buffer;

/**
 * What bounds {@link FreshBufferPolicy} beside its promise. Immutable and thread safe.
 *
 * @param mostBytes of a buffer, 1 or more
 * @param leastDelayNanos the shortest delay that is set, 1 or more: what the timer can keep
 * @param headRoom share of the promised time that is left free for what was not foreseen, 0 .. 0.9
 * @param surge how many times the rate of now a buffer is sized for, 1 or more
 * @param bytesPerSecond that a store is believed to take of one large request, in bytes of the
 *     client's writes, 1 or more. It bounds buffers that fill before they are old, no others
 * @param maxAgeNanos age at which what was observed is no longer believed, 1 or more
 * @param holdNanos from one correction to the next, 0 or more: as long as what was observed before
 *     the first goes on counting
 */
public record FreshLimits(
    long mostBytes,
    long leastDelayNanos,
    double headRoom,
    double surge,
    double bytesPerSecond,
    long maxAgeNanos,
    long holdNanos) {
  /** For a session that is observed several times a second, over the last two seconds. */
  public static final FreshLimits DEFAULT =
      new FreshLimits(
          BufferSetting.PAPER_BYTES,
          BufferRange.SHORTEST_DELAY_NANOS,
          0.2,
          2,
          16e6,
          5_000_000_000L,
          2_000_000_000L);

  /** Checks the values. */
  public FreshLimits {
    boolean positive = mostBytes >= 1 && leastDelayNanos >= 1 && maxAgeNanos >= 1;
    boolean sound = headRoom >= 0 && headRoom <= 0.9 && surge >= 1 && bytesPerSecond >= 1;
    if (!positive || !sound || holdNanos < 0) {
      throw new IllegalArgumentException("limits of a write buffer: " + this);
    }
  }
}
