package org.calando.core.energy;

/**
 * Turns readings of a counter that starts again at zero into increments. Not thread safe.
 *
 * <p>One lap between two readings is seen, more are not: read at least once in the shortest time of
 * a lap. A counter that was reset looks like a lap too; who knows the highest possible power should
 * discard increments above it.
 */
public final class WrappingCounter {
  private final long modulus;
  private long last = -1;

  /**
   * A counter that has not been read.
   *
   * @param modulus units in one lap, above 0: 2^32 for an SNMP Counter32, {@code
   *     max_energy_range_uj} for powercap
   */
  public WrappingCounter(long modulus) {
    if (modulus <= 0) {
      throw new IllegalArgumentException("modulus must be above 0, not " + modulus);
    }
    this.modulus = modulus;
  }

  /**
   * Units counted since the reading before; 0 for the first.
   *
   * @param value what the counter shows, 0 to the modulus
   */
  public long advance(long value) {
    if (value < 0 || value > modulus) {
      throw new IllegalArgumentException(value + " is not within 0 to " + modulus);
    }
    long before = last;
    last = value;
    if (before < 0) {
      return 0;
    }
    return value >= before ? value - before : modulus - before + value;
  }
}
