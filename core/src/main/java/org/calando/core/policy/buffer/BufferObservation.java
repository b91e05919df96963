package org.calando.core.policy.buffer;

import java.util.Optional;
import org.calando.core.policy.Observed;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;

/**
 * What is known of a client's writes. Immutable and thread safe. Times are those of the loop's
 * monotonic clock.
 *
 * @param atNanos when the decision is taken
 * @param target whose buffer: a session
 * @param writes what was written of late; empty if never told
 * @param requests what sending took of late; empty if nothing was sent
 * @param tail the longest that sending took, of minutes; empty if nothing was sent, or since too
 *     short a time to tell
 * @param freshness how fresh writes were of late; empty if none was sent
 * @param atRisk writes that are acknowledged and not in the store, 0 or more
 */
public record BufferObservation(
    long atNanos,
    String target,
    Optional<Writes> writes,
    Optional<Requests> requests,
    Optional<Tail> tail,
    Optional<Freshness> freshness,
    long atRisk)
    implements Observed {
  /** The signal of policies of write buffers. */
  public static final SignalId<BufferObservation> WRITES =
      new SignalId<>("writes", BufferObservation.class);

  @Override
  public Signals signals() {
    return Signals.of(atNanos, target, WRITES, this);
  }

  /**
   * Writes that were called.
   *
   * @param atNanos end of the time over which they were counted
   * @param perSecond 0 or more
   * @param bytes of one in the mean, with its key; above 0
   */
  public record Writes(long atNanos, double perSecond, double bytes) {}

  /**
   * Requests that carried writes to the store: whole buffers, or writes by themselves.
   *
   * @param atNanos when the newest of them ended
   * @param writesEach writes of the request that a write was in, in the mean over writes, 1 or more
   * @param p99Nanos from when it was to be sent until the store had acknowledged all of it, over
   *     writes: a timer or a thread that was late is in it
   * @param medianNanos the same at the 50th percentile
   */
  public record Requests(long atNanos, double writesEach, double p99Nanos, double medianNanos) {}

  /**
   * The 99th percentile of what requests took, over writes, as far as minutes tell it.
   *
   * @param atNanos end of the time over which they were seen
   * @param observations that do not depend on each other, 1 or more
   * @param atMostNanos with 95 % confidence; of fewer than 299 for tails that have a variance
   * @param atLeastNanos with 95 % confidence, 0 or more
   */
  public record Tail(long atNanos, int observations, double atMostNanos, double atLeastNanos) {}

  /**
   * From the call of a put until the store had acknowledged it.
   *
   * @param atNanos when the newest was acknowledged
   * @param count writes that it is of
   * @param p99Nanos at the 99th percentile
   */
  public record Freshness(long atNanos, long count, double p99Nanos) {}
}
