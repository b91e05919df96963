package org.calando.core.policy;

import java.util.List;
import java.util.Optional;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;

/**
 * What is known of one table's use and of its replicas, each figure with the time it is of.
 * Immutable and thread safe. Times are those of the loop's monotonic clock.
 *
 * @param atNanos when the decision is taken
 * @param target the table
 * @param replicas replicas among which a read's level chooses, N, 1 or more: those of the local
 *     data centre for LOCAL levels
 * @param writeReplicas replicas of those that acknowledge a write before it succeeds, W, 1 .. N
 * @param liveReplicas replicas of N that answer, 0 .. N; fewer than N while nodes are down
 * @param offReplicas replicas of N that are off by order, as in a low gear, 0 .. N - live: they do
 *     not answer and have not failed
 * @param rates requests for the table; empty if never told
 * @param lags how long writes take to reach replicas; empty if never told
 * @param popularity how requests spread over the keys; empty if never told
 * @param truth what canary reads found beside what was predicted for them; empty if never told
 * @param shadow what shadow reads found beside what was predicted for them; empty if never told
 * @param missed what reads miss since replicas came back lately; empty while nobody looks for it
 * @param costs what a read costs by replicas asked; empty if never told
 * @param strained whether most nodes leave the canary without answers, which one that failed does
 *     not explain and too much work does; what is found of lags meanwhile is left out
 */
public record Observation(
    long atNanos,
    String target,
    int replicas,
    int writeReplicas,
    int liveReplicas,
    int offReplicas,
    Optional<Rates> rates,
    Optional<Lags> lags,
    Optional<Popularity> popularity,
    Optional<Truth> truth,
    Optional<Shadow> shadow,
    Optional<Missed> missed,
    Optional<Costs> costs,
    boolean strained)
    implements Observed {
  /** The signal of policies that set the level of reads. */
  public static final SignalId<Observation> READS = new SignalId<>("reads", Observation.class);

  public Observation {
    if (replicas < 1
        || writeReplicas < 1
        || writeReplicas > replicas
        || liveReplicas < 0
        || offReplicas < 0
        || liveReplicas + offReplicas > replicas) {
      throw new IllegalArgumentException(
          "%d replicas, %d write, %d live, %d off"
              .formatted(replicas, writeReplicas, liveReplicas, offReplicas));
    }
  }

  @Override
  public Signals signals() {
    return Signals.of(atNanos, target, READS, this);
  }

  /** Replicas that have failed: they neither answer nor are off by order. */
  public int awayReplicas() {
    return replicas - liveReplicas - offReplicas;
  }

  /** The same where so many of the replicas that do not answer are off by order, at most. */
  public Observation withOff(int most) {
    return new Observation(
        atNanos,
        target,
        replicas,
        writeReplicas,
        liveReplicas,
        Math.min(most, replicas - liveReplicas),
        rates,
        lags,
        popularity,
        truth,
        shadow,
        missed,
        costs,
        strained);
  }

  /** The same with other lags. */
  Observation withLags(Lags newLags) {
    return new Observation(
        atNanos,
        target,
        replicas,
        writeReplicas,
        liveReplicas,
        offReplicas,
        rates,
        Optional.of(newLags),
        popularity,
        truth,
        shadow,
        missed,
        costs,
        strained);
  }

  /**
   * Requests for the table, over the whole cluster.
   *
   * @param atNanos end of the time over which they were counted
   * @param readsPerSecond reads that clients sent, 0 or more
   * @param writesPerSecond writes that clients sent, 0 or more
   * @param meanWriteBytes size of a write in the mean, 0 or more; NaN if unknown
   */
  public record Rates(
      long atNanos, double readsPerSecond, double writesPerSecond, double meanWriteBytes) {}

  /**
   * How long writes take to reach replicas.
   *
   * @param atNanos when the newest of the sampled writes was made
   * @param sample the lags
   */
  public record Lags(long atNanos, PropagationLags sample) {}

  /**
   * How requests spread over the keys.
   *
   * @param atNanos when it was estimated
   * @param byKey the spread, of the writes whose keys were seen
   * @param unseenWrites share of the table's writes whose keys nobody has seen, 0 .. 1: they were
   *     counted, and may fall on any key
   */
  public record Popularity(long atNanos, KeyPopularity byKey, double unseenWrites) {
    public Popularity {
      if (!(unseenWrites >= 0 && unseenWrites <= 1)) {
        throw new IllegalArgumentException("a share of unseen writes of " + unseenWrites);
      }
    }

    /** Where the keys of all writes were seen. */
    public Popularity(long atNanos, KeyPopularity byKey) {
      this(atNanos, byKey, 0);
    }
  }

  /**
   * Reads of keys whose newest acknowledged version is known: the canary's.
   *
   * <p>Each is of reads of its own: none counts in two with different times, for policies add them
   * up. Reads that cannot be stale, at the safe level, prove nothing: better a canary that then
   * reads one replica, and predicts for one.
   *
   * @param atNanos when the newest of the reads was made
   * @param reads reads of which each was predicted, 0 or more
   * @param stale how many of them were stale, 0 .. reads
   * @param predicted how many the model that made the last decision said would be, before anything
   *     corrected it, 0 .. reads; {@link AdaptivePolicy#ofOneRead}
   */
  public record Truth(long atNanos, long reads, long stale, double predicted) {}

  /**
   * What a sample of the application's own reads found, read again at the level in use and at a
   * safe one (shadow reads). Figures are those of all that is remembered, not of what is new: older
   * reads have faded.
   *
   * @param atNanos when the newest of them was sent
   * @param reads how many independent reads the estimate is worth, 0 or more
   * @param stale how many of these were stale, 0 .. reads
   * @param bound how many were stale if all that could not be decided were, stale .. reads
   * @param predicted how many the estimate that the level was chosen by said would be, before
   *     shadow reads corrected it, 0 .. reads
   */
  public record Shadow(long atNanos, double reads, double stale, double bound, double predicted) {}

  /**
   * What a sample of the application's own reads, at one replica, missed since replicas came back
   * that had been away, beside a safe read of the same: writes of a time long before, which are to
   * have reached all replicas. What is younger may be as late as lags say.
   *
   * @param atNanos when the newest of them was sent
   * @param reads how many were sampled, 0 or more
   * @param missed how many of them missed such a write, or could not be compared, 0 .. reads
   */
  public record Missed(long atNanos, long reads, long missed) {}

  /**
   * What a read costs, relative to one of a single replica, by the replicas asked.
   *
   * @param atNanos when it was measured, or set
   * @param relative cost of a read of 1, 2, .. N replicas over that of one; the first is 1
   */
  public record Costs(long atNanos, List<Double> relative) {
    public Costs {
      relative = List.copyOf(relative);
    }
  }
}
