package org.calando.core.workload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Locks kept in elements of a {@code long[]}, one a set of a side table, held for tens of
 * nanoseconds.
 *
 * <p>A word's lowest bit says locked, its second bit belongs to the table, and the bits above count
 * how often it was released: a word read while unlocked and found unchanged later proves that
 * nothing was written between (a sequence lock), and held words grow in the order of the holders.
 * Not reentrant. A waiting thread spins, then parks briefly, since the holder may have lost its
 * processor.
 */
final class OracleSpinLock {
  static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private static final long LOCKED = 1;
  private static final long RELEASE = 3;
  private static final int SPINS = 64;
  private static final long PARK_NANOS = 10_000;

  private OracleSpinLock() {}

  /** Takes the lock and returns its held word. */
  static long lock(long[] words, int index) {
    int attempts = 0;
    while (true) {
      long word = (long) LONGS.getOpaque(words, index);
      if ((word & LOCKED) == 0 && LONGS.compareAndSet(words, index, word, word | LOCKED)) {
        // A reader that does not lock must see the word locked before it sees any write.
        VarHandle.storeStoreFence();
        return word | LOCKED;
      }
      attempts = pause(attempts);
    }
  }

  /** Releases the lock; {@code held} is the word that {@link #lock} returned. */
  static void unlock(long[] words, int index, long held) {
    LONGS.setRelease(words, index, held + RELEASE);
  }

  static boolean isLocked(long word) {
    return (word & LOCKED) != 0;
  }

  /** Waits a little for the holder; returns the number of attempts so far. */
  static int pause(int attempts) {
    if (attempts < SPINS) {
      Thread.onSpinWait();
    } else {
      LockSupport.parkNanos(PARK_NANOS);
    }
    return attempts + 1;
  }
}
