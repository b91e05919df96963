package org.calando.core.policy.buffer;

import org.calando.core.BadRequestException;

/**
 * How far a client defers its writes. A write that is deferred is acknowledged as soon as it is in
 * the buffer, and is at risk until the store has acknowledged it. Immutable and thread safe.
 *
 * @param bytes of writes in a buffer at which it is sent, 0 or more; 0: every write is sent by
 *     itself and acknowledged by the store, which is a strong write
 * @param delayNanos age of the oldest write in a buffer at which it is sent, 1 or more; {@link
 *     #NO_DELAY}: any age
 */
public record BufferSetting(long bytes, long delayNanos) {
  /** Stands for no limit of age. */
  public static final long NO_DELAY = Long.MAX_VALUE;

  /** The buffer of the paper: HBase's default of that time was 2 MB. */
  public static final long PAPER_BYTES = 12_000_000;

  /** No write is deferred. */
  public static final BufferSetting STRONG = new BufferSetting(0, NO_DELAY);

  /**
   * Checks the values.
   *
   * @throws BadRequestException if one cannot be
   */
  public BufferSetting {
    if (bytes < 0 || delayNanos < 1) {
      throw new BadRequestException(
          "a buffer of %d bytes and %d ns".formatted(bytes, delayNanos),
          "write buffer",
          "use 0 bytes or more, and 1 ns or more");
    }
    if (bytes == 0 && delayNanos != NO_DELAY) {
      throw new BadRequestException(
          "a delay without a buffer", "write buffer", "leave the delay away, or give bytes");
    }
  }

  /** A buffer of so many bytes, whatever the age of what is in it. */
  public static BufferSetting deferred(long bytes) {
    return new BufferSetting(bytes, NO_DELAY);
  }

  /** Whether every write is sent by itself. */
  public boolean isStrong() {
    return bytes == 0;
  }

  /**
   * In words that lose nothing, for files: {@code strong}, {@code 12000000 B}, {@code 64000 B
   * 80000000 ns}.
   */
  public String words() {
    if (isStrong()) {
      return "strong";
    }
    return delayNanos == NO_DELAY ? bytes + " B" : bytes + " B " + delayNanos + " ns";
  }

  /** As in results: {@code strong}, {@code deferred 12000000 B}, {@code deferred 64000 B 80 ms}. */
  public String text() {
    if (isStrong()) {
      return "strong";
    }
    String size = "deferred " + bytes + " B";
    return delayNanos == NO_DELAY ? size : size + " " + BufferWords.time((double) delayNanos);
  }
}
