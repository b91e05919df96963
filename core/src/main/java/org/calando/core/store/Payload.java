package org.calando.core.store;

import java.util.Arrays;
import java.util.Random;

/**
 * Values to write: pieces of one shared array of random bytes, so that a write generates nothing of
 * its own. Random bytes do not compress, as YCSB's do not much. Thread safe.
 */
public final class Payload {
  /**
   * Longer values make one request of seconds; Cassandra refuses mutations above half a commit-log
   * segment, 16 MiB by default.
   */
  public static final int MAX_VALUE_BYTES = 16 << 20;

  private static final int INITIAL_BYTES = 1 << 20;

  private volatile byte[] source = random(INITIAL_BYTES);

  /**
   * What becomes of a piece, which is not to be changed.
   *
   * @param <T> what it becomes
   */
  @FunctionalInterface
  public interface Use<T> {
    /** Makes it of so many bytes of the array, from a place on. */
    T of(byte[] source, int from, int bytes);
  }

  /**
   * A piece that depends on the key, the version and the field.
   *
   * @param bytes 0 .. {@link #MAX_VALUE_BYTES}
   * @param use takes it without a copy
   */
  public <T> T piece(long key, long version, int field, int bytes, Use<T> use) {
    byte[] all = source;
    if (bytes < 0 || bytes > all.length) {
      all = grow(bytes);
    }
    long mixed = ((key * 31 + version) * 31 + field) * 0x9E3779B97F4A7C15L;
    int room = all.length - bytes + 1;
    return use.of(all, (int) (((mixed >>> 32) * room) >>> 32), bytes);
  }

  /** A copy of such a piece. */
  public byte[] value(long key, long version, int field, int bytes) {
    return piece(
        key, version, field, bytes, (all, from, n) -> Arrays.copyOfRange(all, from, from + n));
  }

  private synchronized byte[] grow(int bytes) {
    if (bytes < 0 || bytes > MAX_VALUE_BYTES) {
      throw new IllegalArgumentException(
          "value of " + bytes + " bytes is not in 0 .. " + MAX_VALUE_BYTES);
    }
    if (bytes > source.length) {
      source = random(Math.min(MAX_VALUE_BYTES, Integer.highestOneBit(bytes) * 2));
    }
    return source;
  }

  private static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }
}
