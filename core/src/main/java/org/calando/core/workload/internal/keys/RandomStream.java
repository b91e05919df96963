package org.calando.core.workload.internal.keys;

/**
 * A reproducible stream of pseudo-random numbers, one of many for the same seed: SplitMix64
 * (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
 *
 * <p>Written out here rather than taken from {@code java.util.SplittableRandom} so that the numbers
 * of a seed do not depend on the Java release. Not thread safe; no allocation.
 */
public final class RandomStream {
  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  /** The stream number {@code stream} of {@code seed}; different streams start far apart. */
  public RandomStream(long seed, int stream) {
    state = mix(seed ^ mix((stream + 1L) * GAMMA));
  }

  /** 64 random bits. */
  public long nextLong() {
    state += GAMMA;
    return mix(state);
  }

  /** Uniform over 0 (included) .. 1 (excluded), a multiple of 2^-53. */
  public double nextDouble() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }

  /**
   * Uniform over 0 .. bound - 1.
   *
   * @param bound 1 or more
   */
  public long nextLong(long bound) {
    long bits = nextLong() >>> 1;
    long value = bits % bound;
    // The last, incomplete round of the bound in 63 bits would favour small values.
    while (bits - value + (bound - 1) < 0) {
      bits = nextLong() >>> 1;
      value = bits % bound;
    }
    return value;
  }

  private static long mix(long bits) {
    long z = bits;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
