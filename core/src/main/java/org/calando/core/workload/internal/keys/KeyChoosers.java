package org.calando.core.workload.internal.keys;

import org.calando.core.workload.InsertSequence;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.RequestDistribution.Exponential;
import org.calando.core.workload.RequestDistribution.Hotspot;
import org.calando.core.workload.RequestDistribution.Latest;
import org.calando.core.workload.RequestDistribution.ScrambledZipfian;
import org.calando.core.workload.RequestDistribution.Sequential;
import org.calando.core.workload.RequestDistribution.Uniform;
import org.calando.core.workload.RequestDistribution.Zipfian;
import org.calando.core.workload.Workload;

/** Makes the key chooser of a workload's request distribution. */
public final class KeyChoosers {
  private KeyChoosers() {}

  /**
   * The chooser of one operation stream.
   *
   * @param workload a valid workload
   * @param inserts the inserts of all streams of the run
   * @param stream number of the stream, 0 or more
   */
  public static KeyChooser of(Workload workload, InsertSequence inserts, int stream) {
    long first = workload.insertStart();
    long count = workload.insertCount();
    RequestDistribution requests = workload.requests();
    // An if chain: switching on patterns needs a newer Java than 17.
    if (requests instanceof Uniform) {
      return uniform(first, count);
    } else if (requests instanceof Zipfian zipfian) {
      return zipfian(first, count, zipfian.constant());
    } else if (requests instanceof ScrambledZipfian zipfian) {
      // YCSB gives the end of the expected keys as its last key, so there is one key more.
      long keys = count + workload.expectedNewKeys() + 1;
      return new ScrambledZipfianKeys(first, keys, zipfian.constant(), inserts);
    } else if (requests instanceof Latest) {
      return latest(first, inserts);
    } else if (requests instanceof Hotspot hotspot) {
      return hotspot(first, count, hotspot);
    } else if (requests instanceof Sequential) {
      return new SequentialKeys(first, count, stream);
    } else if (requests instanceof Exponential exponential) {
      return exponential(first, workload.records(), exponential, inserts);
    }
    throw new AssertionError(requests);
  }

  private static KeyChooser uniform(long first, long count) {
    return random -> first + random.nextLong(count);
  }

  private static KeyChooser zipfian(long first, long count, double constant) {
    ZipfianRanks ranks = new ZipfianRanks(count, constant);
    return random -> first + ranks.next(random);
  }

  // YCSB draws the age from as many items as the last key has predecessors, so that the very first
  // record is never asked for.
  private static KeyChooser latest(long first, InsertSequence inserts) {
    long items = Math.max(1, inserts.lastAcknowledged() - first);
    ZipfianRanks ages = new ZipfianRanks(items, RequestDistribution.YCSB_ZIPFIAN_CONSTANT);
    return random -> {
      long last = inserts.lastAcknowledged();
      ages.growTo(last - first);
      return last - ages.next(random);
    };
  }

  private static KeyChooser hotspot(long first, long count, Hotspot hotspot) {
    long hot = (long) (count * hotspot.dataFraction());
    long cold = count - hot;
    if (hot == 0 || cold == 0) {
      return uniform(first, count);
    }
    double share = hotspot.operationFraction();
    return random ->
        random.nextDouble() < share
            ? first + random.nextLong(hot)
            : first + hot + random.nextLong(cold);
  }

  // YCSB draws the age -ln(u)/gamma, rounded down, again until it is a record's. Drawing u from the
  // part of 0 .. 1 that gives an age of a record has the same distribution, in one draw.
  private static KeyChooser exponential(
      long first, long records, Exponential exponential, InsertSequence inserts) {
    double range = records * exponential.fraction();
    double gamma = -StrictMath.log(1 - exponential.percentile() / 100) / range;
    return random -> {
      long last = inserts.lastAcknowledged();
      long keys = last - first + 1;
      double mass = -StrictMath.expm1(-gamma * keys);
      long age = (long) (-StrictMath.log1p(-random.nextDouble() * mass) / gamma);
      return last - Math.min(age, keys - 1);
    };
  }
}
