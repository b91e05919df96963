package org.calando.promise;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.calando.core.FailedWorkException;
import org.calando.promise.Share.Block;

/**
 * What became of reads in a stretch of time.
 *
 * @param errors reads that failed
 * @param stale share of stale ones among the others
 * @param replicas that those asked in the mean; NaN of none
 */
record Seen(long errors, Share stale, double replicas) {
  private static final int BLOCKS = 20;

  /**
   * Looks at reads of some tasks.
   *
   * @param from when the stretch begins
   * @param to when it ends
   * @throws FailedWorkException if a read returned what nobody had written: the books are wrong
   */
  static Seen of(Judge judge, List<ReadEntry> reads, Predicate<String> tasks, long from, long to) {
    long[] counts = new long[BLOCKS];
    long[] stale = new long[BLOCKS];
    long errors = 0;
    long replicas = 0;
    for (ReadEntry read : reads) {
      if (!tasks.test(read.task()) || read.started() < from || read.started() >= to) {
        continue;
      }
      if (read.failed()) {
        errors++;
        continue;
      }
      int block = (int) ((double) (read.started() - from) / (to - from) * BLOCKS);
      counts[block]++;
      replicas += read.replicas(ProbeBed.FACTOR);
      switch (judge.judge(read)) {
        case FRESH -> {}
        case STALE -> stale[block]++;
        case IMPOSSIBLE ->
            throw new FailedWorkException(
                "a read returned what nobody had written: " + read.line(), "books", "");
      }
    }
    Share share =
        Share.of(IntStream.range(0, BLOCKS).mapToObj(i -> new Block(counts[i], stale[i])).toList());
    return new Seen(errors, share, (double) replicas / share.count());
  }
}
