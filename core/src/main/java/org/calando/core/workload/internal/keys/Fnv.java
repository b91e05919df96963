package org.calando.core.workload.internal.keys;

/** The 64-bit FNV-1 family hash by which YCSB scatters keys. */
public final class Fnv {
  private static final long OFFSET_BASIS = 0xCBF29CE484222325L;
  private static final long PRIME = 1099511628211L;

  private Fnv() {}

  /**
   * Hashes the eight bytes of {@code value}, lowest first, and takes the absolute value, exactly as
   * YCSB's {@code Utils.fnvhash64}. (Each byte is mixed in before the multiplication, which is the
   * order called FNV-1a.)
   *
   * @return 0 or more, or {@link Long#MIN_VALUE}, which has no absolute value
   */
  public static long hash64(long value) {
    long hash = OFFSET_BASIS;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      hash = (hash ^ ((value >>> shift) & 0xff)) * PRIME;
    }
    return Math.abs(hash);
  }
}
