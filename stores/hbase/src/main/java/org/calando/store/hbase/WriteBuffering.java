package org.calando.store.hbase;

import java.util.Locale;
import org.calando.core.BadRequestException;

/**
 * When writes are sent: each by itself, or many together. Immutable and thread safe.
 *
 * @param bytes that fill a buffer, as HBase's client counts them; 0 for strong writes, each of
 *     which is acknowledged by the server
 * @param delayNanos age of the oldest write at which a buffer is sent, full or not; {@link #NEVER}
 *     for none
 * @param shared whether all clients fill one buffer, else each has one
 * @param readYourWrites whether reads see this session's writes that have not been sent
 */
public record WriteBuffering(long bytes, long delayNanos, boolean shared, boolean readYourWrites) {
  /** As a delay: a buffer is sent when it is full, or by a flush. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The shortest delay. */
  public static final long SHORTEST_DELAY_NANOS = 10_000_000L;

  /** The largest buffer. */
  public static final long MOST_BYTES = 256L << 20;

  /** Each write is acknowledged by the server. */
  public static final WriteBuffering STRONG = new WriteBuffering(0, NEVER, false, false);

  /** Checks the figures. */
  public WriteBuffering {
    if (bytes < 0 || bytes > MOST_BYTES || delayNanos < SHORTEST_DELAY_NANOS) {
      throw new BadRequestException(
          "a write buffer of " + bytes + " bytes that waits " + delayNanos + " ns",
          "write buffer",
          "take up to 256 MB, and 10 ms or more");
    }
    if (bytes == 0 && (delayNanos != NEVER || shared || readYourWrites)) {
      throw new IllegalArgumentException("strong writes with a buffer's settings");
    }
  }

  /** A buffer a client that is sent when it is full. */
  public static WriteBuffering deferred(long bytes) {
    return new WriteBuffering(bytes, NEVER, false, false);
  }

  /** The same with another age of the oldest write. */
  public WriteBuffering delay(long nanos) {
    return new WriteBuffering(bytes, nanos, shared, readYourWrites);
  }

  /** The same, in one buffer for all clients. */
  public WriteBuffering sharedByAll() {
    return new WriteBuffering(bytes, delayNanos, true, readYourWrites);
  }

  /** The same, with reads that see unsent writes. */
  public WriteBuffering readingOwn() {
    return new WriteBuffering(bytes, delayNanos, shared, true);
  }

  /** Whether each write is sent by itself. */
  public boolean isStrong() {
    return bytes == 0;
  }

  /** In a few words, such as {@code strong} or {@code deferred 12MB 100ms shared}. */
  public String label() {
    if (isStrong()) {
      return "strong";
    }
    StringBuilder label = new StringBuilder("deferred ").append(size());
    if (delayNanos != NEVER) {
      label.append(String.format(Locale.ROOT, " %dms", delayNanos / 1_000_000));
    }
    return label
        .append(shared ? " shared" : "")
        .append(readYourWrites ? " read-your-writes" : "")
        .toString();
  }

  /** As sizes are written in files: 1 MB is 2^20 bytes. */
  private String size() {
    if (bytes % (1 << 20) == 0) {
      return (bytes >> 20) + "MB";
    }
    return bytes % (1 << 10) == 0 ? (bytes >> 10) + "KB" : bytes + "B";
  }
}
