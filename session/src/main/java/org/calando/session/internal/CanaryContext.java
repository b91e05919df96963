package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.ReadLevels;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.store.ConsistencyLevel;

/**
 * What all canaries of a session share.
 *
 * @param local whether levels are those of the local data centre
 * @param meanAgeSeconds of the reads that tell the truth
 * @param filler what a write carries; read only
 */
record CanaryContext(
    CqlSession session,
    CanaryTable table,
    ScheduledExecutorService timer,
    LongSupplier clock,
    boolean local,
    Supplier<ConsistencyLevel> write,
    Supplier<ReadChoice> readChoice,
    Supplier<Optional<PropagationLags>> sampled,
    DoubleSupplier meanAgeSeconds,
    double deadlineSeconds,
    Duration requestTimeout,
    ByteBuffer filler,
    SampleWindow window,
    ReplicaHealth health,
    CostMeter cost,
    WriteFailures failures) {

  long now() {
    return clock.getAsLong();
  }

  double requestTimeoutSeconds() {
    return requestTimeout.toNanos() / 1e9;
  }

  DefaultConsistencyLevel writeLevel() {
    return DriverLevels.of(write.get());
  }

  DefaultConsistencyLevel readLevel(int read, int replicas) {
    return DriverLevels.of(new ReadLevels(replicas, local).level(read));
  }

  DefaultConsistencyLevel levelOfOneReplica() {
    return local ? DefaultConsistencyLevel.LOCAL_ONE : DefaultConsistencyLevel.ONE;
  }

  /**
   * The replicas that the next read asks: as many as the application's, of which mixed levels draw,
   * unless these cannot miss a write.
   */
  int drawReadReplicas(int replicas) {
    ReadChoice choice = readChoice.get();
    ReadLevels levels = new ReadLevels(replicas, local);
    int lacking = replicas - write.get().replicas(replicas);
    int weaker = levels.asked(Math.min(replicas, choice.replicas()));
    int stronger = levels.asked(Math.min(replicas, choice.replicas() + 1));
    boolean above = ThreadLocalRandom.current().nextDouble() < choice.shareAbove();
    if (above && stronger <= lacking) {
      return stronger;
    }
    return weaker <= lacking ? weaker : 1;
  }

  /** An age at which to read, exponential, and within the deadline. */
  double drawAgeSeconds() {
    double age =
        -Math.log1p(-ThreadLocalRandom.current().nextDouble()) * meanAgeSeconds.getAsDouble();
    return Math.min(age, deadlineSeconds);
  }

  /** Of the numbers of replicas that a level of their own reads, those that may miss a write. */
  int[] readsToWatch(int replicas) {
    ReadLevels levels = new ReadLevels(replicas, local);
    int written = write.get().replicas(replicas);
    return IntStream.rangeClosed(2, replicas - written)
        .filter(read -> levels.asked(read) == read)
        .toArray();
  }

  void sample(long atNanos, int replicas, double[] row) {
    window.add(atNanos, replicas, row);
  }

  /**
   * Takes a read in, unless nothing is known by which it could have been predicted: no lag yet, or
   * those of another number of replicas, from before the replication changed.
   */
  void truth(long atNanos, boolean stale, int replicas, int read, double ageSeconds) {
    sampled
        .get()
        .filter(lags -> lags.replicas() == replicas)
        .ifPresent(
            lags ->
                window.add(
                    atNanos, stale, lags, write.get().replicas(lags.replicas()), read, ageSeconds));
  }
}
