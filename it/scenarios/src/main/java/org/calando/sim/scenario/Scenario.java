package org.calando.sim.scenario;

import java.util.List;
import java.util.Optional;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.core.workload.Workload;
import org.calando.load.ArrivalProcess;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.Links;
import org.calando.sim.cluster.SimCluster;

/**
 * A cluster, a load, what happens to it, and what is tolerated. Immutable.
 *
 * @param seed of all of it
 * @param cluster what is simulated
 * @param placement replicas by data centre
 * @param write level of writes
 * @param workload reads and updates
 * @param arrivals when operations begin
 * @param perSecond greatest mean rate of operations
 * @param tolerated share of stale reads that policies are to keep to
 * @param foreign which of the writes are another application's
 * @param events what happens in the measured window
 * @param description of all of it, in words
 */
public record Scenario(
    long seed,
    ClusterConfig cluster,
    ReplicaPlacement placement,
    ConsistencyLevel write,
    Workload workload,
    ArrivalProcess arrivals,
    double perSecond,
    double tolerated,
    Optional<Foreign> foreign,
    List<Event> events,
    String description) {
  private static final long SECOND = 1_000_000_000L;

  /** Before the measured window: policies have left the safe level by then. */
  public static final long WARM_UP_NANOS = 20 * SECOND;

  /** The measured window. */
  public static final long MEASURED_NANOS = 60 * SECOND;

  /**
   * Writes of another application, which only the store sees.
   *
   * @param share of the writes, or of the keys, above 0, at most 1
   * @param byKey whether it writes keys of its own; else the same keys as often
   */
  public record Foreign(double share, boolean byKey) {}

  /** Something that happens in a run. */
  public sealed interface Event {
    /** When, after the run's begin. */
    long atNanos();

    /** Has it happen to a cluster. */
    void on(SimCluster cluster);
  }

  /** A node fails. */
  public record Fails(long atNanos, int node) implements Event {
    @Override
    public void on(SimCluster cluster) {
      cluster.fail(node);
    }
  }

  /** A node returns. */
  public record Returns(long atNanos, int node) implements Event {
    @Override
    public void on(SimCluster cluster) {
      cluster.recover(node);
    }
  }

  /** A node's work takes so many times as long. */
  public record Slows(long atNanos, int node, double factor) implements Event {
    @Override
    public void on(SimCluster cluster) {
      cluster.slow(node, factor);
    }
  }

  /** Messages take other times. */
  public record Relinks(long atNanos, Links links) implements Event {
    @Override
    public void on(SimCluster cluster) {
      cluster.links(links);
    }
  }

  /** Keeps a copy of the list. */
  public Scenario {
    events = List.copyOf(events);
  }

  /** Whether reads use LOCAL levels. */
  public boolean isLocal() {
    return write == ConsistencyLevel.LOCAL_ONE || write == ConsistencyLevel.LOCAL_QUORUM;
  }

  /** Replicas among which a read's level chooses, N. */
  public int replicas() {
    return placement.among(isLocal() ? ConsistencyLevel.LOCAL_ONE : ConsistencyLevel.ONE);
  }
}
