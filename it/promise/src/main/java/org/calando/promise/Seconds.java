package org.calando.promise;

import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.calando.promise.Judge.Finding;

/**
 * Reads of some tasks by the second in which they began. A second is out of a promise if more than
 * the promised share of the reads of it and the four before was stale. Immutable after its making.
 */
final class Seconds {
  /** Over so many seconds shares and replicas are taken. */
  static final int WINDOW = 5;

  /** One window of a hundred is above a promise by so many standard errors that is just kept. */
  private static final double CHANCE = 2.33;

  private final long[] reads;
  private final long[] stale;
  private final long[] replicas;
  private final long[] failed;

  /**
   * Of the reads of a stretch of time.
   *
   * @param from when its first second begins
   * @param length in seconds
   */
  Seconds(Judge judge, List<ReadEntry> all, Predicate<String> tasks, long from, int length) {
    reads = new long[length];
    stale = new long[length];
    replicas = new long[length];
    failed = new long[length];
    for (ReadEntry read : all) {
      int second = (int) Math.floorDiv(read.started() - from, Times.nanos(1));
      if (!tasks.test(read.task()) || second < 0 || second >= length) {
        continue;
      }
      if (read.failed()) {
        failed[second]++;
        continue;
      }
      reads[second]++;
      replicas[second] += read.replicas(ProbeBed.FACTOR);
      stale[second] += judge.judge(read) == Finding.STALE ? 1 : 0;
    }
  }

  /** The share of stale reads of a second and those before it; NaN without reads. */
  double staleShare(int second) {
    return (double) window(stale, second) / window(reads, second);
  }

  /** Replicas in the mean, likewise. */
  double meanReplicas(int second) {
    return (double) window(replicas, second) / window(reads, second);
  }

  private static long window(long[] counts, int last) {
    long sum = 0;
    for (int i = Math.max(0, last - WINDOW + 1); i <= last; i++) {
      sum += counts[i];
    }
    return sum;
  }

  /** How many seconds of a stretch are out of a promise. */
  int out(double promised, int from, int to) {
    return count(from, to, second -> staleShare(second) > promised);
  }

  /**
   * How many seconds of a stretch are out of a promise by more than chance explains: a share that
   * stays just below a promise is above it in many a window of some hundred reads.
   */
  int outBeyondChance(double promised, int from, int to) {
    return count(
        from, to, second -> isBeyondChance(promised, window(stale, second), window(reads, second)));
  }

  /** Whether a whole stretch is out of a promise by more than chance explains. */
  boolean isBeyondChance(double promised, int from, int to) {
    return isBeyondChance(promised, sum(stale, from, to), sum(reads, from, to));
  }

  private static boolean isBeyondChance(double promised, long stale, long reads) {
    double expected = promised * reads;
    return stale > expected + CHANCE * Math.sqrt(expected * (1 - promised));
  }

  private static int count(int from, int to, IntPredicate second) {
    return (int) IntStream.range(from, to).filter(second).count();
  }

  /** The share of stale reads of a stretch; NaN without reads. */
  double staleShare(int from, int to) {
    return (double) sum(stale, from, to) / sum(reads, from, to);
  }

  /**
   * Seconds of a stretch until so few replicas are read, and from then on in the mean; -1 if they
   * never are.
   */
  int untilWeak(double mostReplicas, int from, int to) {
    for (int second = from; second < to; second++) {
      double rest = (double) sum(replicas, second, to) / sum(reads, second, to);
      if (meanReplicas(second) <= mostReplicas && rest <= mostReplicas) {
        return second - from;
      }
    }
    return -1;
  }

  /** Reads of a stretch, those that failed among them. */
  long reads(int from, int to) {
    return sum(reads, from, to) + failed(from, to);
  }

  /** Reads of a stretch that failed. */
  long failed(int from, int to) {
    return sum(failed, from, to);
  }

  private static long sum(long[] counts, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += counts[i];
    }
    return sum;
  }

  /** A line a second. */
  String csv(String name) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < reads.length; i++) {
      text.append(
          String.format(
              Locale.ROOT,
              "%s,%d,%d,%d,%.3f,%d%n",
              name,
              i,
              reads[i],
              stale[i],
              (double) replicas[i] / reads[i],
              failed[i]));
    }
    return text.toString();
  }
}
