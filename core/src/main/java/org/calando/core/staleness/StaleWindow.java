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
public final class StaleWindow {
  // With L the time for which a write is missed, F(t) = P(L > t), and writes of rate w:
  //
  //   stale at all      the last write is exponentially long ago:  E[1 - exp(-w L)]
  //   k versions behind the last k are missed; their ages t1 < .. < tk are the process's first
  //                     points, so with M(t) = w int_0^t F:  int F(t) w exp(-wt) M(t)^(k-1)/(k-1)!
  // dt
  //
  // F is a staircase here, so that the integrals are sums.

  private final double[] seconds;
  private final double[] weights;
  // missed[i] = P(L >= seconds[i]), and 0 behind the last.
  private final double[] missed;
  private final boolean ofPieces;

  /**
   * Of times in ascending order and the steps there, as they are.
   *
   * @param ofPieces whether the times are ends of pieces of an {@link OvertakingWindow}
   */
  StaleWindow(double[] seconds, double[] weights, boolean ofPieces) {
    this.seconds = seconds;
    this.weights = weights;
    this.ofPieces = ofPieces;
    this.missed = new double[seconds.length + 1];
    for (int i = seconds.length - 1; i >= 0; i--) {
      missed[i] = missed[i + 1] + weights[i];
    }
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
        Arrays.stream(order).mapToDouble(i -> weights[i]).toArray(),
        false);
  }

  /**
   * The probability that a read misses the last write of its key.
   *
   * @param writesPerSecond writes of the key, 0 or more
   * @return 0 .. 1; 0 without writes
   */
  public double rate(double writesPerSecond) {
    if (!(writesPerSecond > 0)) {
      return 0;
    }
    double sum = 0;
    for (int i = seconds.length - 1; i >= 0; i--) {
      sum += weights[i] * Poisson.any(writesPerSecond * seconds[i]);
    }
    return Math.min(1, sum);
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

  /** Whether its values are ends of pieces of an {@link OvertakingWindow}. */
  boolean isOfPieces() {
    return ofPieces;
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
}
