package org.calando.core.observe;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.LagModel;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;

/**
 * What policies of read levels are to know of one table: how often it is read and written, how late
 * replicas are, which of them live. {@link #observe} is for one thread at a time; the rest is
 * thread safe.
 */
public interface TableTelemetry extends AutoCloseable {
  /** A capability of clusters whose tables can be observed. */
  interface Source {
    /**
     * Connects and begins to observe; blocks until then.
     *
     * @param model predicts the canary's reads
     * @param inUse what reads of the table ask now, and so do the canary's; does not block
     * @throws org.calando.core.CalandoException if the cluster cannot be observed
     */
    TableTelemetry telemetry(Settings settings, LagModel model, Supplier<ReadChoice> inUse);
  }

  /**
   * What to observe, and how closely.
   *
   * @param table the table's name
   * @param placement its replicas
   * @param write level of its writes; with a LOCAL one only the local data centre's replicas count
   * @param canariesPerSecond above 0, at most 100
   * @param deadline time a node has to tell its counts, above 0
   */
  record Settings(
      String table,
      ReplicaPlacement placement,
      ConsistencyLevel write,
      double canariesPerSecond,
      Duration deadline) {
    /** Whether reads use LOCAL levels. */
    public boolean isLocal() {
      return write == ConsistencyLevel.LOCAL_ONE || write == ConsistencyLevel.LOCAL_QUORUM;
    }

    /** Replicas among which a read's level chooses, N. */
    public int replicas() {
      return placement.among(isLocal() ? ConsistencyLevel.LOCAL_ONE : ConsistencyLevel.ONE);
    }
  }

  /**
   * What observing has cost so far.
   *
   * @param requests made
   * @param cpuNanos CPU time
   */
  record Cost(long requests, long cpuNanos) {}

  /**
   * Asks all nodes at once; does not block.
   *
   * @param popularity how requests spread over the table's keys, which the cluster does not tell
   * @return when each node has answered or missed its deadline: all that is known then. Its times
   *     are of {@link System#nanoTime}
   */
  CompletionStage<Observation> observe(Optional<Observation.Popularity> popularity);

  /**
   * That the last observation was decided on: the canary reads that it reported are not reported
   * again. Those of one that came too late are.
   */
  void decided();

  /** The table's full name, as observations have it. */
  String target();

  /** What observing has cost so far. */
  Cost cost();

  /** Canaries whose write failed, in words; empty if none did. */
  Optional<String> failures();

  /** Stops observing. Idempotent. */
  @Override
  void close();
}
