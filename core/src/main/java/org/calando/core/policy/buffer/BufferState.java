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
 */
public record BufferState(long delayNanos, long bytes, double correction, long heldNanos) {
  /** Nothing was decided yet. */
  public static final BufferState INITIAL = new BufferState(0, 0, 1, Long.MIN_VALUE);

  private static final Pattern SPACE = Pattern.compile(" ");

  /** Checks the values. */
  public BufferState {
    if (delayNanos < 0 || bytes < 0 || !(correction > 0 && correction <= 1)) {
      throw new IllegalArgumentException(
          delayNanos + " ns, " + bytes + " bytes, corrected by " + correction);
    }
  }

  /** As a line of text that {@link #parse} reads. */
  public String text() {
    return delayNanos + " " + bytes + " " + correction + " " + heldNanos;
  }

  /**
   * The state that {@link #text} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static BufferState parse(String text) {
    String[] words = SPACE.split(text, -1);
    if (words.length != 4) {
      throw new IllegalArgumentException("no state of a write buffer: " + text);
    }
    return new BufferState(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Double.parseDouble(words[2]),
        Long.parseLong(words[3]));
  }
}
