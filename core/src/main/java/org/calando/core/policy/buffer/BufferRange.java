package org.calando.core.policy.buffer;

import java.util.Optional;

/**
 * What a client can be set to, and what is worth setting. Immutable and thread safe.
 *
 * @param leastDelayNanos the shortest delay, 1 or more
 * @param mostBytes the largest buffer, 1 or more
 */
public record BufferRange(long leastDelayNanos, long mostBytes) {
  /** From one decision to the next, where nothing else is said. */
  public static final long PERIOD_NANOS = 250_000_000L;

  /** Periods that are looked back. */
  public static final int SLICES = 8;

  /** The shortest delay that timers of clients keep. */
  public static final long SHORTEST_DELAY_NANOS = 10_000_000L;

  /** Settings nearer to each other than this are the same: no need to set anew. */
  private static final double SAME = 0.05;

  /**
   * What is to be in force: the nearest to what is wanted, or the current setting if that hardly
   * differs.
   *
   * @param wanted empty if nothing is to be set
   */
  public BufferSetting next(Optional<BufferSetting> wanted, BufferSetting current) {
    return wanted.map(this::within).filter(each -> differ(current, each)).orElse(current);
  }

  private BufferSetting within(BufferSetting wanted) {
    return wanted.isStrong()
        ? wanted
        : new BufferSetting(
            Math.min(wanted.bytes(), mostBytes), Math.max(wanted.delayNanos(), leastDelayNanos));
  }

  private static boolean differ(BufferSetting one, BufferSetting other) {
    return one.isStrong() != other.isStrong()
        || differ(one.bytes(), other.bytes())
        || differ(one.delayNanos(), other.delayNanos());
  }

  private static boolean differ(long one, long other) {
    return Math.abs((double) one - (double) other) > SAME * (double) Math.max(one, other);
  }
}
