package org.calando.core.workload;

import static org.calando.core.workload.OracleSpinLock.LONGS;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The newest issued and the newest acknowledged version of every key, in exactly 16 bytes a key.
 *
 * <p>Keys are ids from 0 to a stated bound; memory comes in chunks of {@value #CHUNK_KEYS} keys
 * when one of them is first written. Thread safe and lock free.
 */
final class OracleVersions {
  static final int CHUNK_KEYS = 4096;

  private static final int CHUNK_SHIFT = 12;
  private static final int LONGS_PER_KEY = 2;

  private final long maxKeys;
  private final AtomicReferenceArray<long @Nullable []> chunks;

  /**
   * An empty table.
   *
   * @param maxKeys key ids below this are tracked, 1 .. 2^32
   */
  OracleVersions(long maxKeys) {
    this.maxKeys = maxKeys;
    this.chunks = new AtomicReferenceArray<>((int) ((maxKeys + CHUNK_KEYS - 1) >>> CHUNK_SHIFT));
  }

  boolean tracks(long key) {
    return key < maxKeys;
  }

  /** The newest acknowledged version, 0 if there is none. */
  long acknowledged(long key) {
    long[] chunk = chunks.getAcquire((int) (key >>> CHUNK_SHIFT));
    return chunk == null ? 0 : (long) LONGS.getAcquire(chunk, index(key));
  }

  /** The newest issued version, 0 if there is none. */
  long issued(long key) {
    long[] chunk = chunks.getAcquire((int) (key >>> CHUNK_SHIFT));
    return chunk == null ? 0 : (long) LONGS.getAcquire(chunk, index(key) + 1);
  }

  /** Issues the key's next version. */
  long issue(long key) {
    return (long) LONGS.getAndAdd(chunk(key), index(key) + 1, 1L) + 1;
  }

  /**
   * Raises the newest acknowledged version; an older one changes nothing. Calls for one key must
   * exclude each other, which spares an atomic operation.
   */
  void acknowledge(long key, long version) {
    long[] chunk = chunk(key);
    int index = index(key);
    if (chunk[index] < version) {
      LONGS.setRelease(chunk, index, version);
    }
  }

  /** Makes version 1 issued and acknowledged; not while writes of the key are under way. */
  void load(long key) {
    long[] chunk = chunk(key);
    raise(chunk, index(key) + 1, 1);
    raise(chunk, index(key), 1);
  }

  /** Payload of the arrays allocated so far, with 8 bytes a reference, in bytes. */
  long bytes() {
    long allocated = 0;
    for (int i = 0; i < chunks.length(); i++) {
      if (chunks.getAcquire(i) != null) {
        allocated++;
      }
    }
    return allocated * CHUNK_KEYS * LONGS_PER_KEY * Long.BYTES
        + (long) chunks.length() * Long.BYTES;
  }

  private static int index(long key) {
    return ((int) key & (CHUNK_KEYS - 1)) * LONGS_PER_KEY;
  }

  private long[] chunk(long key) {
    int number = (int) (key >>> CHUNK_SHIFT);
    long[] chunk = chunks.getAcquire(number);
    return chunk == null ? allocate(number) : chunk;
  }

  private long[] allocate(int number) {
    long[] fresh = new long[CHUNK_KEYS * LONGS_PER_KEY];
    long[] earlier = chunks.compareAndExchange(number, null, fresh);
    return earlier == null ? fresh : earlier;
  }

  private static void raise(long[] chunk, int index, long value) {
    long seen = (long) LONGS.getAcquire(chunk, index);
    while (seen < value && !LONGS.compareAndSet(chunk, index, seen, value)) {
      seen = (long) LONGS.getAcquire(chunk, index);
    }
  }
}
