package org.calando.core.workload.internal.keys;

/**
 * Keys in order, from the first again after the last. Streams start spread over the range
 * (multiples of the golden ratio), stream 0 at its first key.
 */
final class SequentialKeys implements KeyChooser {
  private static final double GOLDEN_RATIO = 0.6180339887498949;

  private final long first;
  private final long count;
  private long position;

  SequentialKeys(long first, long count, int stream) {
    this.first = first;
    this.count = count;
    double turns = stream * GOLDEN_RATIO;
    this.position = (long) ((turns - Math.floor(turns)) * count);
  }

  @Override
  public long next(RandomStream random) {
    long key = first + position;
    position = position + 1 == count ? 0 : position + 1;
    return key;
  }
}
