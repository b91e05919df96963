package org.calando.core.staleness;

/** Joins the bins of a popularity whose keys are written about as often. Not thread safe. */
final class BinJoin {
  private final KeyPopularity popularity;
  private final double[] keys;
  private final double[] reads;
  private final double[] writes;

  BinJoin(KeyPopularity popularity, int bins) {
    if (bins < 2) {
      throw new IllegalArgumentException("bins " + bins);
    }
    this.popularity = popularity;
    this.keys = new double[bins];
    this.reads = new double[bins];
    this.writes = new double[bins];
  }

  /** Bin 0 takes the keys that are never written, the others equal steps of the logarithm. */
  KeyPopularity joined() {
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (int bin = 0; bin < popularity.bins(); bin++) {
      double perKey = popularity.writesPerKey(bin);
      if (perKey > 0) {
        least = Math.min(least, perKey);
        most = Math.max(most, perKey);
      }
    }
    int steps = keys.length - 1;
    double octaves = most > least ? StrictMath.log(most / least) : 1;
    for (int bin = 0; bin < popularity.bins(); bin++) {
      double perKey = popularity.writesPerKey(bin);
      int step =
          perKey > 0
              ? 1 + (int) (StrictMath.log(perKey / least) / octaves * steps * (1 - 1e-12))
              : 0;
      add(bin, Math.min(steps, step));
    }
    return parts();
  }

  private void add(int from, int to) {
    keys[to] += popularity.keys(from);
    reads[to] += popularity.reads(from);
    // The writes that a read of the bin meets in the mean, which is what staleness follows.
    writes[to] += popularity.reads(from) * popularity.writesPerKey(from);
  }

  private KeyPopularity parts() {
    int used = 0;
    for (int bin = 0; bin < keys.length; bin++) {
      if (reads[bin] > 0) {
        keys[used] = keys[bin];
        reads[used] = reads[bin];
        writes[used] = writes[bin] / reads[bin];
        used++;
      }
    }
    return KeyPopularity.ofParts(
        java.util.Arrays.copyOf(keys, used),
        java.util.Arrays.copyOf(reads, used),
        java.util.Arrays.copyOf(writes, used));
  }
}
