package org.calando.core.workload.internal.keys;

import org.calando.core.workload.Lengths;
import org.calando.core.workload.RequestDistribution;

/** Draws lengths of a {@link Lengths} distribution. Not thread safe; allocates nothing. */
@FunctionalInterface
public interface LengthChooser {
  /** The next length, min .. max. */
  int next(RandomStream random);

  /** A chooser for valid {@code lengths}. */
  static LengthChooser of(Lengths lengths) {
    int min = lengths.min();
    int count = lengths.max() - min + 1;
    return switch (lengths.shape()) {
      case CONSTANT -> random -> min;
      case UNIFORM -> random -> min + (int) random.nextLong(count);
      case ZIPFIAN -> {
        ZipfianRanks ranks = new ZipfianRanks(count, RequestDistribution.YCSB_ZIPFIAN_CONSTANT);
        yield random -> min + (int) ranks.next(random);
      }
    };
  }
}
