package org.calando.core.policy;

import java.util.concurrent.atomic.AtomicLongArray;
import org.calando.core.store.ConsistencyLevel;

/*
 * A share p of the reads asks one replica more. Coin tosses would meet it in the mean only: of n
 * reads the share is off by sqrt(p(1-p)/n). The sequence of Weyl, k times the golden ratio modulo
 * 1, falls below p in p*n of any n terms in a row, give or take the logarithm of n: the golden
 * ratio is the number that fractions approach worst (Knuth, The Art of Computer Programming 6.4).
 * It is one addition: 64 bit integers wrap as the fractions of 1 do.
 *
 * One counter for all threads would travel between the caches of all cores. So there are several,
 * each in cache lines of its own, and a thread keeps to one. Every counter runs the sequence for
 * itself, from a start of its own.
 */
/**
 * Picks the level of each read, on the request path: what was last {@link #set}, where a mixed
 * choice gives exactly its share of the reads the stronger level.
 *
 * <p>Thread safe; neither locks nor allocates. {@link #set} is rare and may be called from any
 * thread; reads that are picked at the same moment may still get what was set before.
 */
public final class LevelPicker {
  private static final int STRIPES = 16;

  /** Longs from one counter to the next: 128 bytes, as processors fetch cache lines in pairs. */
  private static final int STRIDE = 16;

  /** 2^64 over the golden ratio, made odd. */
  private static final long STEP = 0x9E3779B97F4A7C15L;

  private final ReadLevels levels;
  private final SafeLevel safe;
  private final int stripeMask;
  private final AtomicLongArray counters = new AtomicLongArray((STRIPES + 1) * STRIDE);
  private volatile Picked picked;

  /**
   * What the request path looks at.
   *
   * @param threshold the share of the reads at {@code above}, in 2^-64, unsigned
   */
  private record Picked(
      ReadChoice choice, ConsistencyLevel level, ConsistencyLevel above, long threshold) {}

  /**
   * A picker of the safe level, for many threads.
   *
   * @param levels how replicas map to levels
   * @param safe the level for as many replicas as are safe
   */
  public LevelPicker(ReadLevels levels, SafeLevel safe) {
    this(levels, safe, STRIPES);
  }

  /**
   * A picker of the safe level for one thread at a time, whichever it is: it picks the same.
   *
   * @param levels how replicas map to levels
   * @param safe the level for as many replicas as are safe
   */
  public static LevelPicker ofOneThread(ReadLevels levels, SafeLevel safe) {
    return new LevelPicker(levels, safe, 1);
  }

  private LevelPicker(ReadLevels levels, SafeLevel safe, int stripes) {
    this.levels = levels;
    this.safe = safe;
    this.stripeMask = stripes - 1;
    for (int stripe = 1; stripe <= STRIPES; stripe++) {
      counters.set(stripe * STRIDE, (long) stripe << 60);
    }
    this.picked = picked(ReadChoice.of(safe.replicas()));
  }

  /**
   * Changes what is picked.
   *
   * @param choice more replicas than there are means all
   */
  public void set(ReadChoice choice) {
    picked = picked(choice);
  }

  /** What was last set. */
  public ReadChoice choice() {
    return picked.choice;
  }

  /** The level of the next read. */
  public ConsistencyLevel next() {
    Picked now = picked;
    if (now.threshold == 0) {
      return now.level;
    }
    // The first line stays empty: what lies before the array is others'.
    int stripe = 1 + ((int) Thread.currentThread().getId() & stripeMask);
    long point = counters.getAndAdd(stripe * STRIDE, STEP);
    return Long.compareUnsigned(point, now.threshold) < 0 ? now.above : now.level;
  }

  /** The level of a number of replicas: the safe one where the number is the safe one. */
  public ConsistencyLevel level(int replicas) {
    boolean isSafe =
        replicas == safe.replicas()
            || (replicas < safe.replicas() && levels.asked(replicas) == safe.replicas());
    return isSafe ? safe.level() : levels.level(replicas);
  }

  private Picked picked(ReadChoice choice) {
    ConsistencyLevel level = level(choice.replicas());
    ConsistencyLevel above = choice.shareAbove() == 0 ? level : level(choice.replicas() + 1);
    long threshold = above == level ? 0 : (long) (choice.shareAbove() * 0x1p63) << 1;
    return new Picked(choice, level, above, threshold);
  }
}
