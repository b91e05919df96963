package org.calando.core.workload.internal.keys;

import org.calando.core.workload.InsertSequence;
import org.calando.core.workload.RequestDistribution;

/**
 * Zipfian keys of which the popular ones are scattered over the key space: the hash of a zipfian
 * rank, modulo the number of keys.
 *
 * <p>Ranks are drawn of 10^10 items whatever the number of keys, as in YCSB, so the hash folds many
 * ranks onto each key and the skew over the keys is flatter than zipfian of their number. The key
 * space includes keys yet to be inserted, so that popular keys stay popular while it fills; a key
 * that is not acknowledged yet is drawn again.
 */
final class ScrambledZipfianKeys implements KeyChooser {
  /** YCSB's item count. */
  static final long ITEMS = 10_000_000_000L;

  /** YCSB's value of zeta(10^10, 0.99). */
  static final double ZETA = 26.46902820178302;

  /** With so many keys missing that this many draws fail, popularity has lost its meaning. */
  private static final int MAX_DRAWS = 100_000;

  private final ZipfianRanks ranks;
  private final InsertSequence inserts;
  private final long firstKey;
  private final long keys;

  /**
   * Keys {@code firstKey .. firstKey + keys - 1}.
   *
   * @param keys 1 or more
   * @param theta zipfian constant between 0 and 1
   */
  ScrambledZipfianKeys(long firstKey, long keys, double theta, InsertSequence inserts) {
    // YCSB counts its items from 0 to 10^10, both included, but takes zeta of 10^10.
    double zeta = theta == RequestDistribution.YCSB_ZIPFIAN_CONSTANT ? ZETA : Zeta.of(ITEMS, theta);
    this.ranks = new ZipfianRanks(ITEMS + 1, theta, zeta);
    this.inserts = inserts;
    this.firstKey = firstKey;
    this.keys = keys;
  }

  @Override
  public long next(RandomStream random) {
    long last = inserts.lastAcknowledged();
    for (int draw = 0; draw < MAX_DRAWS; draw++) {
      // The mask turns the one negative value that the hash has into a key.
      long key = firstKey + (Fnv.hash64(ranks.next(random)) & Long.MAX_VALUE) % keys;
      if (key <= last) {
        return key;
      }
    }
    return firstKey + random.nextLong(last - firstKey + 1);
  }
}
