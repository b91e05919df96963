package org.calando.core.staleness;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A window of {@link PopularitySketch}: counts the requests of keys that were chosen before, and
 * samples reads for the next. Thread safe: which keys are counted never changes.
 */
final class SketchWindow {
  /** Keys that have a bin each, those that are read most: at most so many. */
  private static final int HOTTEST = 32;

  private static final long GAMMA = 0x9E3779B97F4A7C15L;
  // A key that is never counted, so that it can mark free places.
  private static final long NONE = 0xC2B2AE3D27D4EB4FL;
  // So many longs that two stripes share no cache line, neither with a neighbour fetched along.
  private static final int STRIPE_LONGS = 16;
  private static final int WRITES = 8;
  private static final int WRITE_SHIFT = 32;
  private static final long ONE_READ = 1;
  private static final long ONE_WRITE = 1L << WRITE_SHIFT;

  private final long[] keys;
  // By place: reads below, writes above.
  private final AtomicLongArray counts;
  // By place: whether the key is of the half that is known, else how many reads of the other it
  // has.
  private final boolean[] known;
  private final int[] sampled;
  private final int tracked;
  private final AtomicLongArray totals;
  private final int stripeMask;
  private final long seed;
  private final ReadSample next;

  SketchWindow(PopularitySketch.Config config, int number, long[] sample) {
    this.tracked = sample.length;
    this.keys = new long[places(sample.length)];
    this.counts = new AtomicLongArray(keys.length);
    this.known = new boolean[keys.length];
    this.sampled = new int[keys.length];
    this.totals = new AtomicLongArray(config.stripes() * STRIPE_LONGS);
    this.stripeMask = config.stripes() - 1;
    this.seed = mix(config.seed() + mix(number * GAMMA));
    this.next = new ReadSample(config.sampledReads());
    java.util.Arrays.fill(keys, NONE);
    for (int i = 0; i < sample.length; i++) {
      if (sample[i] != NONE) {
        int place = place(sample[i]);
        keys[place] = sample[i];
        known[place] |= i % 2 == 0;
        sampled[place] += i % 2;
      }
    }
  }

  /** A power of two, at most half of it used. */
  private static int places(int keys) {
    return Math.max(2, Integer.highestOneBit(Math.max(1, keys)) * 4);
  }

  void read(long key) {
    int stripe = stripe();
    long number = totals.getAndIncrement(stripe);
    next.offer(key, mix(seed + stripe + number * GAMMA) >>> 1);
    count(key, ONE_READ);
  }

  void write(long key) {
    totals.getAndIncrement(stripe() + WRITES);
    count(key, ONE_WRITE);
  }

  private void count(long key, long what) {
    int place = place(key);
    if (keys[place] != NONE) {
      counts.getAndAdd(place, what);
    }
  }

  /** Where a key is, or would be. */
  private int place(long key) {
    int mask = keys.length - 1;
    int place = (int) mix(key) & mask;
    while (keys[place] != key && keys[place] != NONE) {
      place = (place + 1) & mask;
    }
    return place;
  }

  /** Keys of a random sample of this window's reads. */
  long[] sample() {
    return next.keys();
  }

  long writes() {
    return total(WRITES);
  }

  Optional<KeyPopularity> popularity() {
    long reads = total(0);
    long writes = writes();
    if (tracked == 0 || reads == 0) {
      return Optional.empty();
    }
    long knownReads = 0;
    int others = 0;
    for (int place = 0; place < keys.length; place++) {
      if (known[place]) {
        knownReads += reads(place);
      } else {
        others += sampled[place];
      }
    }
    // An operation that was recorded while the window ended may be in one count and not the other.
    reads = Math.max(reads, knownReads);
    double left = (reads - knownReads) / (double) reads;
    if (knownReads == 0 && others == 0) {
      return Optional.empty();
    }
    double scale = others == 0 ? 1.0 / knownReads : 1.0 / reads;
    return Optional.of(popularity(scale, others == 0 ? 0 : left / others, writes));
  }

  private KeyPopularity popularity(double scale, double sampledShare, long writes) {
    double[] ofBin = new double[tracked];
    double[] shares = new double[tracked];
    double[] writesPerKey = new double[tracked];
    int bin = 0;
    for (int place = 0; place < keys.length; place++) {
      if (known[place] || sampled[place] > 0) {
        ofBin[bin] = known[place] ? 1 : Double.NaN;
        shares[bin] = known[place] ? reads(place) * scale : sampled[place] * sampledShare;
        writesPerKey[bin] = writes == 0 ? 0 : Math.min(1, writes(place) / (double) writes);
        bin++;
      }
    }
    return KeyPopularity.ofParts(
            java.util.Arrays.copyOf(ofBin, bin),
            java.util.Arrays.copyOf(shares, bin),
            java.util.Arrays.copyOf(writesPerKey, bin))
        .inBins(PopularitySketch.BINS, HOTTEST);
  }

  private long reads(int place) {
    return counts.get(place) & (ONE_WRITE - 1);
  }

  private long writes(int place) {
    return counts.get(place) >>> WRITE_SHIFT;
  }

  private long total(int offset) {
    long sum = 0;
    for (int stripe = 0; stripe <= stripeMask; stripe++) {
      sum += totals.get(stripe * STRIPE_LONGS + offset);
    }
    return sum;
  }

  private int stripe() {
    return ((int) Thread.currentThread().getId() & stripeMask) * STRIPE_LONGS;
  }

  private static long mix(long bits) {
    long z = bits;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
