package org.calando.core.workload;

/** Spreads consecutive ids over the sets of the side tables. */
final class OracleHash {
  /** 2^64 over the golden ratio, made odd (Knuth's multiplicative hashing). */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private OracleHash() {}

  /** A hash whose low bits depend on all bits of the id. */
  static int spread(long id) {
    long product = id * GOLDEN;
    return (int) (product ^ product >>> 32);
  }
}
