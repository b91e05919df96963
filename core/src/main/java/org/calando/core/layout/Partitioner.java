package org.calando.core.layout;

import java.math.BigInteger;

/** How Cassandra turns keys into tokens: the ring on which nodes have their places. */
public enum Partitioner {
  /** MD5, tokens 0 to 2^127 - 1; the default until Cassandra 1.1, and that of Li 2013. */
  RANDOM("RandomPartitioner", BigInteger.ZERO, 127),

  /** MurmurHash3, tokens -2^63 to 2^63 - 1; the default since Cassandra 1.2. */
  MURMUR3("Murmur3Partitioner", BigInteger.ONE.shiftLeft(63).negate(), 64);

  private final String className;
  private final BigInteger least;
  private final BigInteger ringSize;

  Partitioner(String className, BigInteger least, int bits) {
    this.className = className;
    this.least = least;
    this.ringSize = BigInteger.ONE.shiftLeft(bits);
  }

  /** The name of Cassandra's class, as {@code cassandra.yaml} has it without the package. */
  public String className() {
    return className;
  }

  /** Number of tokens there are. */
  public BigInteger ringSize() {
    return ringSize;
  }

  /**
   * The token at a place of the ring, where places are evenly spaced: least + floor(index times
   * ring size / parts).
   *
   * <p>Li 2013 divides before it multiplies, which loses up to {@code index} tokens more; here the
   * product comes first, as in Cassandra's own advice, so that no range is longer than another by
   * more than one token.
   *
   * @param index 0 to {@code parts - 1}
   * @param parts number of places, 1 or more
   */
  public BigInteger token(int index, int parts) {
    if (index < 0 || index >= parts) {
      throw new IllegalArgumentException("place " + index + " of " + parts);
    }
    return ringSize
        .multiply(BigInteger.valueOf(index))
        .divide(BigInteger.valueOf(parts))
        .add(least);
  }

  /** Whether a number is one of the tokens. */
  public boolean has(BigInteger number) {
    return wrap(number).equals(number);
  }

  /** The token that a number stands for, where numbers go round the ring. */
  BigInteger wrap(BigInteger number) {
    return number.subtract(least).mod(ringSize).add(least);
  }
}
