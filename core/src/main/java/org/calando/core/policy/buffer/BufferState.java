package org.calando.core.policy.buffer;

import java.util.regex.Pattern;

/**
 * What a policy of write buffers remembers. Immutable and thread safe.
 *
 * @param delayNanos that was decided last, 0 or more; 0: strong, or nothing yet
 * @param bytes that were decided last
 * @param correction what delays are multiplied by since writes were less fresh than promised, above
 *     0 and at most 1
 * @param heldNanos until then, on the loop's clock, it does not grow
 * @param beyondNanos what the 99th percentile of requests is at least, with 95 % confidence, where
 *     that is more than was promised; 0 where the promise may be kept
 * @param crowdedPerSecond the least rate of writes at which requests were seen to wait for each
 *     other, above 0; infinity if they never were
 */
public record BufferState(
    long delayNanos,
    long bytes,
    double correction,
    long heldNanos,
    double beyondNanos,
    double crowdedPerSecond) {
  /** Nothing was decided yet. */
  public static final BufferState INITIAL =
      new BufferState(0, 0, 1, Long.MIN_VALUE, 0, Double.POSITIVE_INFINITY);

  private static final Pattern SPACE = Pattern.compile(" ");

  /** Checks the values. */
  public BufferState {
    if (delayNanos < 0
        || bytes < 0
        || !(correction > 0 && correction <= 1)
        || !(beyondNanos >= 0 && crowdedPerSecond > 0)) {
      throw new IllegalArgumentException(
          delayNanos
              + " ns, "
              + bytes
              + " bytes, corrected by "
              + correction
              + ", "
              + beyondNanos
              + ", "
              + crowdedPerSecond);
    }
  }

  /** The same with what was decided. */
  BufferState decided(BufferSetting setting) {
    long delay = setting.isStrong() ? 0 : setting.delayNanos();
    return new BufferState(
        delay, setting.bytes(), correction, heldNanos, beyondNanos, crowdedPerSecond);
  }

  /** The same with another correction. */
  BufferState corrected(double now, long untilNanos) {
    return new BufferState(delayNanos, bytes, now, untilNanos, beyondNanos, crowdedPerSecond);
  }

  /** The same with another judgement of requests. */
  BufferState judged(double nowBeyondNanos, double nowCrowdedPerSecond) {
    return new BufferState(
        delayNanos, bytes, correction, heldNanos, nowBeyondNanos, nowCrowdedPerSecond);
  }

  /** Whether the promise is not to be had, as far as was seen. */
  public boolean isBeyond() {
    return beyondNanos > 0;
  }

  /** As a line of text that {@link #parse} reads. */
  public String text() {
    return "%d %d %s %d %s %s"
        .formatted(delayNanos, bytes, correction, heldNanos, beyondNanos, crowdedPerSecond);
  }

  /**
   * The state that {@link #text} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static BufferState parse(String text) {
    String[] words = SPACE.split(text, -1);
    if (words.length != 6) {
      throw new IllegalArgumentException("no state of a write buffer: " + text);
    }
    return new BufferState(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Double.parseDouble(words[2]),
        Long.parseLong(words[3]),
        Double.parseDouble(words[4]),
        Double.parseDouble(words[5]));
  }
}
