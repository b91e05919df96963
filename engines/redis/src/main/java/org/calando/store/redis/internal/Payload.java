package org.calando.store.redis.internal;

import java.nio.ByteBuffer;
import java.util.Random;

/**
 * Values to write: pieces of one shared buffer of random bytes, which do not compress, as YCSB's do
 * not much. Thread safe.
 */
final class Payload {
  /** Longer values make one request of seconds. */
  static final int MAX_VALUE_BYTES = 16 << 20;

  private static final int INITIAL_BYTES = 1 << 20;

  private volatile byte[] source = random(INITIAL_BYTES);

  /** A value of {@code bytes} bytes that depends on the key, the version and the field. */
  byte[] value(long key, long version, int field, int bytes) {
    byte[] value = new byte[check(bytes)];
    fill(value, 0, key, version, field);
    return value;
  }

  /** The same behind its version, in 8 bytes, the highest first. */
  byte[] versioned(long key, long version, int field, int bytes) {
    byte[] value = new byte[Long.BYTES + check(bytes)];
    ByteBuffer.wrap(value).putLong(0, version);
    fill(value, Long.BYTES, key, version, field);
    return value;
  }

  private void fill(byte[] value, int from, long key, long version, int field) {
    int bytes = value.length - from;
    byte[] all = source;
    if (bytes > all.length) {
      all = grow(bytes);
    }
    long mixed = ((key * 31 + version) * 31 + field) * 0x9E3779B97F4A7C15L;
    int room = all.length - bytes + 1;
    System.arraycopy(all, (int) (((mixed >>> 32) * room) >>> 32), value, from, bytes);
  }

  private static int check(int bytes) {
    if (bytes < 0 || bytes > MAX_VALUE_BYTES) {
      throw new IllegalArgumentException(
          "value of " + bytes + " bytes is not in 0 .. " + MAX_VALUE_BYTES);
    }
    return bytes;
  }

  private synchronized byte[] grow(int bytes) {
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
