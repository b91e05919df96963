package org.calando.core.staleness;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * For how long after its acknowledgement a write is missed by reads of a number of replicas: the
 * distribution of that time. Immutable and thread safe.
 *
 * <p>All models of this package that know when replicas get a write are such a distribution, and
 * what follows from it is the same for all. Writes of a key are taken as a Poisson process, and
 * whether a read misses one write as independent of whether it misses another. Reads may come in
 * any way that does not look at the writes.
 */
public sealed class StaleWindow permits OvertakingWindow {
  // With L the time for which a write is missed, F(t) = P(L > t), and writes of rate w:
  //
  //   stale at all      the last write is exponentially long ago:  E[1 - exp(-w L)]
  //   k versions behind the last k are missed; their ages t1 < .. < tk are the process's first
  //                     points, so with M(t) = w int_0^t F:  int F(t) w exp(-wt) M(t)^(k-1)/(k-1)!
  // dt
  //   t-staleness > t   no write of the last t is seen: exp(-w int_0^t (1 - F)), and the last one
  //                     before is missed: E[1 - exp(-w (L - t)+)]
  //
  // F is a staircase here, so that the integrals are sums.

  private final double[] seconds;
  private final double[] weights;
  // missed[i] = P(L >= seconds[i]), and 0 behind the last.
  private final double[] missed;

  /** Of times in ascending order and the steps there, as they are. */
  StaleWindow(double[] seconds, double[] weights) {
    this.seconds = seconds;
    this.weights = weights;
    this.missed = new double[seconds.length + 1];
    for (int i = seconds.length - 1; i >= 0; i--) {
      missed[i] = missed[i + 1] + weights[i];
    }
  }

  StaleWindow(StaleWindow same) {
    this.seconds = same.seconds;
    this.weights = same.weights;
    this.missed = same.missed;
  }

  /**
   * A distribution by its values.
   *
   * @param seconds for how long a write is missed; 0 or less if it never is, infinite if it always
   *     is
   * @param weights probability of each, 0 .. 1; what is left of 1 is that of not being missed
   * @throws IllegalArgumentException if lengths differ, a value is not a number, or the weights add
   *     up to more than 1
   */
  public static StaleWindow of(double[] seconds, double[] weights) {
    if (seconds.length != weights.length
        || Arrays.stream(seconds).anyMatch(Double::isNaN)
        || !Arrays.stream(weights).allMatch(weight -> weight >= 0)
        || Arrays.stream(weights).sum() > 1 + 1e-9) {
      throw new IllegalArgumentException(
          seconds.length + " times, weights " + Arrays.toString(weights));
    }
    int[] order =
        IntStream.range(0, seconds.length)
            .filter(i -> seconds[i] > 0 && weights[i] > 0)
            .boxed()
            .sorted((i, j) -> Double.compare(seconds[i], seconds[j]))
            .mapToInt(i -> i)
            .toArray();
    return new StaleWindow(
        Arrays.stream(order).mapToDouble(i -> seconds[i]).toArray(),
        Arrays.stream(order).mapToDouble(i -> weights[i]).toArray());
  }

  /**
   * The probability that a read misses the last write of its key.
   *
   * @param writesPerSecond writes of the key, 0 or more
   * @return 0 .. 1; 0 without writes
   */
  public double rate(double writesPerSecond) {
    return writesPerSecond > 0 ? rateBeyond(writesPerSecond, 0) : 0;
  }

  /**
   * The probability that a read misses the last k writes of its key.
   *
   * @param writesPerSecond writes of the key, 0 or more
   * @param versions k, 1 or more
   */
  public double rateOfVersions(double writesPerSecond, int versions) {
    if (versions < 1) {
      throw new IllegalArgumentException("versions " + versions);
    }
    if (!(writesPerSecond > 0)) {
      return 0;
    }
    double[] tails = new double[versions];
    double sum = 0;
    double start = 0;
    double mean = 0;
    for (int i = 0; i < seconds.length; i++) {
      double length = writesPerSecond * (seconds[i] - start);
      double reached = StrictMath.exp(-writesPerSecond * start);
      if (reached == 0) {
        break;
      }
      if (length > 0) {
        Poisson.tails(length, tails);
        sum += reached * piece(mean, missed[i], tails);
        mean += missed[i] * length;
        start = seconds[i];
      }
    }
    return Math.min(1, sum);
  }

  /** int_0^d f w exp(-ws) (mean + f w s)^(k-1)/(k-1)! ds, by powers of the mean. */
  private static double piece(double mean, double missed, double[] tails) {
    double sum = 0;
    double power = 1;
    for (int older = 0; older < tails.length; older++) {
      int newer = tails.length - older;
      sum += power * StrictMath.pow(missed, newer) * tails[newer - 1];
      power *= mean / (older + 1);
    }
    return sum;
  }

  /**
   * The probability that a read's t-staleness is more than a time.
   *
   * @param writesPerSecond writes of the key, 0 or more
   * @param age t in seconds, 0 or more
   */
  public double rateOfAge(double writesPerSecond, double age) {
    if (!(writesPerSecond > 0)) {
      return 0;
    }
    double seen = age;
    for (int i = 0; i < seconds.length; i++) {
      seen -= weights[i] * Math.min(seconds[i], age);
    }
    return StrictMath.exp(-writesPerSecond * Math.max(0, seen)) * rateBeyond(writesPerSecond, age);
  }

  /**
   * The probability that a write is still missed a time after its acknowledgement.
   *
   * @param age seconds, 0 or more
   */
  public double missedAfter(double age) {
    int from = 0;
    int to = seconds.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (seconds[middle] > age) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return Math.min(1, missed[from]);
  }

  /** Values of the distribution that are more than 0. */
  int values() {
    return seconds.length;
  }

  /** One of them, ascending. */
  double seconds(int value) {
    return seconds[value];
  }

  /** Its probability. */
  double weight(int value) {
    return weights[value];
  }

  private double rateBeyond(double writesPerSecond, double age) {
    double sum = 0;
    for (int i = seconds.length - 1; i >= 0 && seconds[i] > age; i--) {
      sum += weights[i] * Poisson.any(writesPerSecond * (seconds[i] - age));
    }
    return Math.min(1, sum);
  }
}
