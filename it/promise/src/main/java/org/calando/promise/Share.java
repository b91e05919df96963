package org.calando.promise;

import java.util.List;

/**
 * A share with its 95 % interval over blocks of time: Student's, of a ratio. Reads of one block are
 * correlated, so single reads would pretend to more than is known.
 *
 * @param count of reads
 * @param hits of them
 * @param low end of the interval; NaN where there are fewer than two blocks with reads
 * @param high end, likewise
 */
record Share(long count, long hits, double low, double high) {
  /** Student's 97.5 % quantiles from one degree of freedom on. */
  private static final double[] STUDENT = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086
  };

  /** No one in so many, with 95 % confidence, says that the share is below 3 / count. */
  private static final double NONE_SEEN = 3;

  /** Reads of a stretch of time, and how many of them hit. */
  record Block(long count, long hits) {}

  static Share of(List<Block> all) {
    List<Block> blocks = all.stream().filter(block -> block.count > 0).toList();
    long count = blocks.stream().mapToLong(Block::count).sum();
    long hits = blocks.stream().mapToLong(Block::hits).sum();
    int n = blocks.size();
    if (n < 2) {
      return new Share(count, hits, Double.NaN, Double.NaN);
    }
    double share = (double) hits / count;
    double squares = 0;
    for (Block block : blocks) {
      double rest = block.hits - share * block.count;
      squares += rest * rest;
    }
    double error = Math.sqrt(squares * n / (n - 1)) / count;
    double half = STUDENT[Math.min(n - 1, STUDENT.length) - 1] * error;
    double high = hits == 0 ? NONE_SEEN / count : share + half;
    return new Share(count, hits, Math.max(0, share - half), Math.min(1, high));
  }

  /** The share; NaN of nothing. */
  double value() {
    return count == 0 ? Double.NaN : (double) hits / count;
  }
}
