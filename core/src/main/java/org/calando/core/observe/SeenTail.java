package org.calando.core.observe;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.calando.core.policy.buffer.BufferObservation;

/*
 * What one request in a hundred takes cannot be seen in the requests of two seconds: of 24, most windows hold none that was
 * held up. So two minutes are looked back. Requests that are nearer to each other than the longest took may have met the same
 * pause, and count as one observation: of a time, no more than it has room for such pauses.
 *
 * Of n observations those beyond the true 99th percentile are binomial with a share of 1 %. The (j+1)-th longest is above it
 * with 95 % confidence if j or fewer beyond would be seen in at most 5 % of all cases, no matter how times are distributed:
 * the longest of 299, the second longest of 473. The longest of fewer is above a lower percentile only, with the same
 * confidence that which a share s exceeds, where (1 - s)^n = 5 %. It is taken (s / 1 %)^(1/2) times then: the tail of a
 * distribution that has a variance is no heavier in the end. Pauses of which none was seen in so few this does not cover.
 *
 * The c-th longest is below the true percentile with 95 % confidence if c or more beyond would be seen in at most 5 %. One is
 * no evidence, however few there are: something happens for the first time now and then.
 *
 * Requests count by the writes that they carry, as they do in what was promised. Where their sizes differ the few large ones
 * decide what is seen, so observations are no more than Kish's effective sample size, (sum of writes)^2 / sum of writes^2:
 * of requests of one size that is their number.
 */
/** What requests of the last two minutes say of their 99th percentile. Belongs to one thread. */
final class SeenTail {
  private static final long LOOK_BACK_NANOS = 120_000_000_000L;

  /** The steps in which it is forgotten. */
  private static final long STEP_NANOS = 8_000_000_000L;

  private static final double SHARE = 0.01;
  private static final double DOUBT = 0.05;
  private static final int LEAST_EVIDENCE = 2;

  /** Of more the bounds hardly change, and chances are too small for a double. */
  private static final int MOST = 20_000;

  private final Deque<Mark> marks = new ArrayDeque<>();

  /** All that had happened until then. */
  private record Mark(long atNanos, TimeCounts.Snapshot took, long requests, long squares) {}

  /**
   * What is known; empty if nothing ended since the first call.
   *
   * @param took of all requests so far, by writes
   * @param requests so far
   * @param squares of the writes that each of them carried, their sum
   */
  Optional<BufferObservation.Tail> tail(
      long nowNanos, TimeCounts.Snapshot took, long requests, long squares) {
    Mark now = new Mark(nowNanos, took, requests, squares);
    if (marks.isEmpty() || nowNanos - marks.getLast().atNanos >= STEP_NANOS) {
      marks.addLast(now);
    }
    while (marks.size() > 1 && nowNanos - marks.getFirst().atNanos > LOOK_BACK_NANOS) {
      marks.removeFirst();
    }
    TimeCounts.Snapshot seen = took.since(marks.getFirst().took);
    if (seen.total() == 0) {
      return Optional.empty();
    }
    int observations = observations(now, seen);
    return Optional.of(
        new BufferObservation.Tail(
            nowNanos, observations, atMost(seen, observations), atLeast(seen, observations)));
  }

  private int observations(Mark now, TimeCounts.Snapshot seen) {
    double longestNanos = (double) Math.max(1, seen.percentile(100));
    // Writes over those of a write's request: exactly the number of requests where all are alike.
    double writes = (double) seen.total();
    double effective = writes / ((double) (now.squares - marks.getFirst().squares) / writes);
    double sum = 0;
    Mark from = marks.getFirst();
    for (Mark to : marks) {
      sum += between(from, to, longestNanos);
      from = to;
    }
    sum += between(from, now, longestNanos);
    return (int) Math.min(MOST, Math.max(1, Math.min(sum, effective)));
  }

  private static double between(Mark from, Mark to, double longestNanos) {
    double room = (double) (to.atNanos - from.atNanos) / longestNanos;
    return Math.min((double) (to.requests - from.requests), room);
  }

  private static double atMost(TimeCounts.Snapshot seen, int n) {
    double none = Math.pow(1 - SHARE, n);
    if (none > DOUBT) {
      double exceeded = 1 - Math.pow(DOUBT, 1.0 / n);
      return (double) seen.longest(1, n) * Math.sqrt(exceeded / SHARE);
    }
    int beyond = 0;
    while (chance(beyond + 1, n) <= DOUBT) {
      beyond++;
    }
    return (double) seen.longest(beyond + 1, n);
  }

  private static double atLeast(TimeCounts.Snapshot seen, int n) {
    int beyond = LEAST_EVIDENCE;
    while (1 - chance(beyond - 1, n) > DOUBT) {
      beyond++;
    }
    return beyond <= n ? (double) seen.longest(beyond, n) : 0;
  }

  /** That at most so many of n are beyond the 99th percentile. */
  private static double chance(int most, int n) {
    double one = Math.pow(1 - SHARE, n);
    double sum = one;
    for (int k = 1; k <= most; k++) {
      one *= (double) (n - k + 1) / k * SHARE / (1 - SHARE);
      sum += one;
    }
    return sum;
  }
}
