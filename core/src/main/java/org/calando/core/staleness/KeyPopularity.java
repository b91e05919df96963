package org.calando.core.staleness;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * How requests spread over the keys of a table, in bins of keys that are alike. Immutable and
 * thread safe.
 *
 * <p>What matters to staleness is a key's rate of writes; keys of nearly the same rate share a bin,
 * so that millions of keys take some dozens of bins.
 */
public final class KeyPopularity {
  /**
   * Share of the reads that a key may have which nobody has seen: one that is read more often is
   * among two hundred reads with 95 %.
   */
  private static final double MOST_READ_UNKNOWN = 1.0 / 64;

  private final double[] keys;
  private final double[] reads;
  private final double[] writesPerKey;

  private KeyPopularity(double[] keys, double[] reads, double[] writesPerKey) {
    this.keys = keys;
    this.reads = reads;
    this.writesPerKey = writesPerKey;
  }

  /**
   * A popularity by bins.
   *
   * @param keys keys of each bin, more than 0; not necessarily whole, for an estimate
   * @param reads share of all reads that go to the bin, 0 .. 1; in all 1
   * @param writes share of all writes that go to the bin, 0 .. 1; in all 1
   * @throws IllegalArgumentException if lengths differ, or shares do not add up to 1 within 1e-6
   */
  public static KeyPopularity of(double[] keys, double[] reads, double[] writes) {
    if (keys.length == 0 || keys.length != reads.length || keys.length != writes.length) {
      throw new IllegalArgumentException(
          "bins of keys %d, reads %d, writes %d"
              .formatted(keys.length, reads.length, writes.length));
    }
    if (!Arrays.stream(keys).allMatch(count -> count > 0)) {
      throw new IllegalArgumentException("a bin without keys: " + Arrays.toString(keys));
    }
    requireShares("reads", reads);
    requireShares("writes", writes);
    double[] perKey = new double[keys.length];
    for (int bin = 0; bin < perKey.length; bin++) {
      perKey[bin] = writes[bin] / keys[bin];
    }
    return new KeyPopularity(keys.clone(), reads.clone(), perKey);
  }

  /**
   * A popularity as another's bins told it, to the bit: what a file kept.
   *
   * @param keys keys of each bin, more than 0, or NaN if it was not known
   * @param reads share of all reads that go to the bin, 0 .. 1; in all 1
   * @param writesPerKey share of all writes that go to one key of the bin, 0 or more
   * @throws IllegalArgumentException if lengths differ, a bin has no keys or no share of writes, or
   *     shares of reads do not add up to 1 within 1e-6
   */
  public static KeyPopularity ofBins(double[] keys, double[] reads, double[] writesPerKey) {
    boolean sound =
        reads.length > 0
            && keys.length == reads.length
            && writesPerKey.length == reads.length
            && Arrays.stream(keys).allMatch(count -> count > 0 || Double.isNaN(count))
            && Arrays.stream(writesPerKey).allMatch(share -> share >= 0);
    if (!sound) {
      throw new IllegalArgumentException(
          "bins of keys %s, writes of a key %s"
              .formatted(Arrays.toString(keys), Arrays.toString(writesPerKey)));
    }
    requireShares("reads", reads);
    return new KeyPopularity(keys.clone(), reads.clone(), writesPerKey.clone());
  }

  /**
   * Every key alike.
   *
   * @param keys 1 or more
   */
  public static KeyPopularity uniform(long keys) {
    return of(new double[] {keys}, new double[] {1}, new double[] {1});
  }

  /**
   * Key k of n is asked for, and written, in proportion to 1 / k^theta.
   *
   * <p>The 128 most popular keys have a bin each; those behind, in octaves of their rank, have four
   * bins an octave, at the nodes of Gauss and Legendre's rule over the logarithm of the rank. A
   * mean over keys of 1 - exp(-c p_k) has a relative error below 1e-6 for every c; 184 bins for two
   * million keys, 40 more for each factor of a thousand.
   *
   * @param keys 1 .. 10^15
   * @param theta the zipfian constant, more than 0 and at most 10; it may be 1 and more
   */
  public static KeyPopularity zipf(long keys, double theta) {
    return ZipfBins.of(keys, theta);
  }

  /**
   * The same in fewer bins, if there are more: bins whose keys are written about as often are
   * joined. A mean over keys then has a relative error below 1/3 of the square of the relative
   * spread of writes within a bin: for 60 bins over 6 decades 0.2 %.
   *
   * @param bins at most so many, 2 or more
   */
  public KeyPopularity inBins(int bins) {
    return bins() <= bins ? this : new BinJoin(this, bins).joined();
  }

  /**
   * The same, where the bins of one key that are read most stay as they are.
   *
   * @param bins at most so many in all, 2 more than {@code hottest} or more
   * @param hottest bins that stay, 0 or more
   */
  KeyPopularity inBins(int bins, int hottest) {
    if (bins() <= bins) {
      return this;
    }
    int[] stay = hottest(hottest);
    boolean[] stays = new boolean[bins()];
    for (int bin : stay) {
      stays[bin] = true;
    }
    int[] rest = IntStream.range(0, bins()).filter(bin -> !stays[bin]).toArray();
    KeyPopularity joined = new BinJoin(of(rest), bins - stay.length).joined();
    KeyPopularity kept = of(stay);
    return new KeyPopularity(
        joined(kept.keys, joined.keys),
        joined(kept.reads, joined.reads),
        joined(kept.writesPerKey, joined.writesPerKey));
  }

  /**
   * The same with writes of unknown keys, which all fall on the keys that are read most, in
   * proportion to their reads. Which number of keys is worst depends on how long writes are missed.
   *
   * <p>Keys that have no bin of their own are taken to be read as often as the last of those that
   * have one, which is more than they are: the share of stale reads that follows is a bound.
   *
   * @param unseen share of all writes whose keys are unknown, 0 .. 1
   * @param hottest on how many keys they fall, 1 or more
   */
  public KeyPopularity withUnseen(double unseen, int hottest) {
    int[] hit = hottest(hottest);
    double hitReads = Arrays.stream(hit).mapToDouble(bin -> reads[bin]).sum();
    double ofOne = hit.length == 0 ? MOST_READ_UNKNOWN : reads[hit[hit.length - 1]];
    double left = Math.max(0, 1 - hitReads);
    double further = Math.min(left, (hottest - hit.length) * ofOne);
    double all = hitReads + further;
    double[] newReads = Arrays.copyOf(reads, bins() + 1);
    double[] writes = new double[bins() + 1];
    double ownOfFurther = 0;
    boolean[] isHit = new boolean[bins()];
    for (int bin : hit) {
      isHit[bin] = true;
      writes[bin] = unseen * reads[bin] / all;
    }
    for (int bin = 0; bin < bins(); bin++) {
      writes[bin] += (1 - unseen) * writesPerKey[bin];
      if (!isHit[bin] && left > 0) {
        newReads[bin] *= 1 - further / left;
        ownOfFurther += reads[bin] / left * writes[bin];
      }
    }
    newReads[bins()] = further;
    writes[bins()] = ownOfFurther + unseen * ofOne / all;
    double[] newKeys = Arrays.copyOf(keys, bins() + 1);
    newKeys[bins()] = Double.NaN;
    return new KeyPopularity(newKeys, newReads, writes);
  }

  /** Bins of one key, those that are read most, most of them first. */
  private int[] hottest(int most) {
    return IntStream.range(0, bins())
        .filter(bin -> keys[bin] == 1 && reads[bin] > 0)
        .boxed()
        .sorted((a, b) -> Double.compare(reads[b], reads[a]))
        .limit(most)
        .mapToInt(bin -> bin)
        .toArray();
  }

  private KeyPopularity of(int[] bins) {
    return new KeyPopularity(chosen(keys, bins), chosen(reads, bins), chosen(writesPerKey, bins));
  }

  private static double[] chosen(double[] values, int[] bins) {
    return Arrays.stream(bins).mapToDouble(bin -> values[bin]).toArray();
  }

  private static double[] joined(double[] one, double[] other) {
    double[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  /** Number of bins. */
  public int bins() {
    return keys.length;
  }

  /** Keys in a bin; NaN if they are not known. */
  public double keys(int bin) {
    return keys[bin];
  }

  /** Share of all reads that go to a bin. */
  public double reads(int bin) {
    return reads[bin];
  }

  /** Share of all writes that go to one key of a bin. */
  public double writesPerKey(int bin) {
    return writesPerKey[bin];
  }

  /** Bins as they are, unchecked; keeps the arrays. */
  static KeyPopularity ofParts(double[] keys, double[] reads, double[] writesPerKey) {
    return new KeyPopularity(keys, reads, writesPerKey);
  }

  private static void requireShares(String what, double[] shares) {
    double sum = 0;
    for (double share : shares) {
      if (!(share >= 0)) {
        throw new IllegalArgumentException("a share of " + what + " of " + share);
      }
      sum += share;
    }
    if (!(Math.abs(sum - 1) <= 1e-6)) {
      throw new IllegalArgumentException("shares of " + what + " add up to " + sum);
    }
  }
}
