package org.calando.store.cassandra.internal;

import java.nio.ByteBuffer;
import java.util.Random;

/**
 * Values to write: slices of one shared buffer of random bytes, so that a write generates and
 * copies nothing of its own. Random bytes do not compress, as YCSB's do not much. Thread safe.
 */
final class Payload {
  /** The engine refuses mutations above half a commit-log segment, 16 MiB by default. */
  static final int MAX_VALUE_BYTES = 16 << 20;

  private static final int INITIAL_BYTES = 1 << 20;

  private volatile ByteBuffer buffer = random(INITIAL_BYTES);

  /**
   * A view of {@code bytes} bytes that depends on the key, the version and the field.
   *
   * @param bytes 0 .. {@link #MAX_VALUE_BYTES}
   */
  ByteBuffer slice(long key, long version, int field, int bytes) {
    ByteBuffer source = buffer;
    if (bytes < 0 || bytes > source.capacity()) {
      source = grow(bytes);
    }
    long mixed = (key * 31 + version) * 31 + field;
    mixed *= 0x9E3779B97F4A7C15L;
    int room = source.capacity() - bytes + 1;
    return source.slice((int) (((mixed >>> 32) * room) >>> 32), bytes);
  }

  private synchronized ByteBuffer grow(int bytes) {
    if (bytes < 0 || bytes > MAX_VALUE_BYTES) {
      throw new IllegalArgumentException(
          "value of " + bytes + " bytes is not in 0 .. " + MAX_VALUE_BYTES);
    }
    if (bytes > buffer.capacity()) {
      buffer = random(Math.min(MAX_VALUE_BYTES, Integer.highestOneBit(bytes) * 2));
    }
    return buffer;
  }

  // Not read-only: Netty copies from an accessible array at once, from a read-only buffer twice.
  private static ByteBuffer random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return ByteBuffer.wrap(content);
  }
}
