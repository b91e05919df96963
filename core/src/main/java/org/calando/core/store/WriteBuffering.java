package org.calando.core.store;

import java.util.Locale;
import org.calando.core.BadRequestException;
import org.calando.core.policy.buffer.BufferRange;
import org.calando.core.policy.buffer.BufferSetting;

/**
 * When writes are sent: each by itself, or many together. Immutable and thread safe.
 *
 * @param setting bytes that fill a buffer, as HBase's client counts them, and the age of the oldest
 *     write at which it is sent, full or not; or strong writes, each of which is acknowledged by
 *     the server
 * @param shared whether all clients fill one buffer, else each has one
 * @param readYourWrites whether reads see this session's writes that have not been sent
 */
public record WriteBuffering(BufferSetting setting, boolean shared, boolean readYourWrites) {
  /** As a delay: a buffer is sent when it is full, or by a flush. */
  public static final long NEVER = BufferSetting.NO_DELAY;

  /** The shortest delay. */
  public static final long SHORTEST_DELAY_NANOS = BufferRange.SHORTEST_DELAY_NANOS;

  /** The largest buffer. */
  public static final long MOST_BYTES = 256L << 20;

  /** Each write is acknowledged by the server. */
  public static final WriteBuffering STRONG =
      new WriteBuffering(BufferSetting.STRONG, false, false);

  /**
   * Checks the figures.
   *
   * @throws BadRequestException if no buffer can be so
   */
  public WriteBuffering {
    if (setting.bytes() > MOST_BYTES || setting.delayNanos() < SHORTEST_DELAY_NANOS) {
      throw new BadRequestException(
          "a write buffer of "
              + setting.bytes()
              + " bytes that waits "
              + setting.delayNanos()
              + " ns",
          "write buffer",
          "take up to 256 MB, and 10 ms or more");
    }
    if (setting.isStrong() && (shared || readYourWrites)) {
      throw new IllegalArgumentException("strong writes with a buffer's settings");
    }
  }

  /** A buffer a client that is sent when it is full. */
  public static WriteBuffering deferred(long bytes) {
    return new WriteBuffering(BufferSetting.deferred(bytes), false, false);
  }

  /** Bytes that fill a buffer; 0 for strong writes. */
  public long bytes() {
    return setting.bytes();
  }

  /** Age of the oldest write at which a buffer is sent; {@link #NEVER} for none. */
  public long delayNanos() {
    return setting.delayNanos();
  }

  /** The same, in one buffer for all clients. */
  public WriteBuffering sharedByAll() {
    return new WriteBuffering(setting, true, readYourWrites);
  }

  /** Whether each write is sent by itself. */
  public boolean isStrong() {
    return setting.isStrong();
  }

  /** In a few words, such as {@code strong} or {@code deferred 12MB 100ms shared}. */
  public String label() {
    if (isStrong()) {
      return "strong";
    }
    StringBuilder label = new StringBuilder("deferred ").append(size());
    if (delayNanos() != NEVER) {
      label.append(String.format(Locale.ROOT, " %dms", delayNanos() / 1_000_000));
    }
    return label
        .append(shared ? " shared" : "")
        .append(readYourWrites ? " read-your-writes" : "")
        .toString();
  }

  /** As sizes are written in files: 1 MB is 2^20 bytes. */
  private String size() {
    long bytes = bytes();
    if (bytes % (1 << 20) == 0) {
      return (bytes >> 20) + "MB";
    }
    return bytes % (1 << 10) == 0 ? (bytes >> 10) + "KB" : bytes + "B";
  }
}
