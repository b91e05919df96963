package org.calando.power.prometheus;

import java.util.OptionalLong;

/**
 * Where another machine's clock stands against the ticker. The other clock was read at some time
 * between a request and its answer; each exchange so bounds the difference from both sides, and the
 * newest estimate that fits the bounds is kept, so that a slow answer does not move it. Not thread
 * safe.
 */
public final class ServerClock {
  private OptionalLong offsetNanos = OptionalLong.empty();

  /**
   * Takes an exchange.
   *
   * @param sentNanos the ticker before the request
   * @param receivedNanos the ticker after the answer
   * @param serverMillis the other clock in between, cut to whole milliseconds
   */
  public void exchange(long sentNanos, long receivedNanos, long serverMillis) {
    long low = sentNanos - (serverMillis + 1) * 1_000_000;
    long high = receivedNanos - serverMillis * 1_000_000;
    long middle = low + (high - low) / 2;
    offsetNanos = OptionalLong.of(Math.max(low, Math.min(high, offsetNanos.orElse(middle))));
  }

  /** The ticker when the other clock showed a time, after the first exchange. */
  public long nanosAt(long serverMillis) {
    return serverMillis * 1_000_000 + offsetNanos.orElseThrow();
  }
}
