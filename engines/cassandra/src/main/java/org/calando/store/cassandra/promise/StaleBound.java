package org.calando.store.cassandra.promise;

import java.util.Optional;
import java.util.OptionalDouble;
import org.calando.core.observe.ClientUse;
import org.calando.core.staleness.ExactStaleness;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.staleness.StaleEstimate;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;

/*
 * Where the keys are not declared all requests may be for one, which is the worst: the share is between none and that.
 * Which data centre clients are in is not known either: the worst counts.
 */
/** The share of a table's reads that is stale, by the exact model. Immutable. */
final class StaleBound {
  private final ClientUse clients;
  private final ConsistencyLevel reads;
  private final ConsistencyLevel writes;

  /**
   * Of tables that are read and written at declared levels.
   *
   * @throws java.util.NoSuchElementException if levels are not declared
   */
  StaleBound(ClientUse clients) {
    this(clients, clients.reads().orElseThrow());
  }

  /**
   * The same, were they read at another level.
   *
   * @throws java.util.NoSuchElementException if the level of writes is not declared
   */
  StaleBound(ClientUse clients, ConsistencyLevel reads) {
    this.clients = clients;
    this.reads = reads;
    this.writes = clients.writes().orElseThrow();
  }

  /** From what share to what share. */
  record Share(double low, double high) {
    /** Nothing is known. */
    static final Share ANY = new Share(0, 1);
  }

  /**
   * How many replicas of each range are off by order: no read or write waits for these.
   *
   * @param least of any range
   * @param most of any range
   */
  record Off(int least, int most) {
    static final Off NONE = new Off(0, 0);

    /** It is not known. */
    static final Off ANY = new Off(0, Integer.MAX_VALUE);
  }

  /** Whether reads see each write that was acknowledged, from any data centre. */
  boolean isStrong(ReplicaPlacement placement) {
    boolean apart = placement.byDataCentre().size() > 1 && isLocal(reads) && isLocal(writes);
    return !apart
        && placement.byDataCentre().keySet().stream()
            .allMatch(name -> at(placement, name).isStrong(reads, writes));
  }

  /**
   * The share of stale reads.
   *
   * @param off replicas that are off; lags and rates are those of all replicas, and say nothing
   *     then
   * @param lags measured by canaries; empty if there are none
   * @param writesPerSecond of the table, 0 or more
   * @return {@link Share#ANY} if it is not known how long writes take to get everywhere
   */
  Share of(
      ReplicaPlacement placement, Off off, Optional<PropagationLags> lags, double writesPerSecond) {
    if (isStrong(placement) || meetsWithout(placement, off.least())) {
      return new Share(0, 0);
    }
    if (off.most() > 0) {
      return Share.ANY;
    }
    double worst = 0;
    for (String name : placement.byDataCentre().keySet()) {
      OptionalDouble share = missed(at(placement, name), lags, writesPerSecond);
      if (share.isEmpty()) {
        return Share.ANY;
      }
      worst = Math.max(worst, share.getAsDouble());
    }
    return new Share(clients.keys().isPresent() ? worst : 0, worst);
  }

  /** Whether each read meets each write among the replicas that are on, in one data centre. */
  private boolean meetsWithout(ReplicaPlacement placement, int off) {
    return placement.byDataCentre().size() == 1
        && placement.involved(reads) + placement.involved(writes) > placement.total() - off;
  }

  /** The share that reads of one data centre miss. */
  private OptionalDouble missed(
      ReplicaPlacement placement, Optional<PropagationLags> lags, double writesPerSecond) {
    int replicas = placement.among(reads);
    int acknowledging = acknowledging(placement, replicas);
    if (acknowledging == 0) {
      // Canaries are not written in each data centre: what they measure does not hold here.
      return clients.propagationNanos().isPresent()
          ? OptionalDouble.of(underWay(clients.propagationNanos().getAsLong(), writesPerSecond))
          : OptionalDouble.empty();
    }
    return estimate(replicas, acknowledging, lags, writesPerSecond)
        .map(found -> found.rate(Math.min(found.replicas(), placement.involved(reads))))
        .map(OptionalDouble::of)
        .orElseGet(OptionalDouble::empty);
  }

  /** The share of reads whose key has a write under way: of two replicas one has each write. */
  private double underWay(long propagationNanos, double writesPerSecond) {
    return 2
        * ExactStaleness.of(2, 1, propagationNanos / 1e9, writesPerSecond, clients.popularity())
            .rate(1);
  }

  private Optional<? extends StaleEstimate> estimate(
      int replicas, int acknowledging, Optional<PropagationLags> lags, double writesPerSecond) {
    KeyPopularity popularity = clients.popularity();
    if (clients.propagationNanos().isPresent()) {
      double seconds = clients.propagationNanos().getAsLong() / 1e9;
      return Optional.of(
          ExactStaleness.of(replicas, acknowledging, seconds, writesPerSecond, popularity));
    }
    return lags.filter(sample -> sample.replicas() == replicas)
        .map(sample -> ExactStaleness.measured(sample, acknowledging, writesPerSecond, popularity));
  }

  /**
   * Replicas, of those that a read may ask, that surely have a write of any data centre when it is
   * acknowledged.
   */
  private int acknowledging(ReplicaPlacement placement, int replicas) {
    if (!isLocal(reads) || placement.byDataCentre().size() == 1) {
      return Math.min(replicas, placement.involved(writes));
    }
    if (isLocal(writes)) {
      return 0;
    }
    return writes == ConsistencyLevel.EACH_QUORUM
        ? writes.replicas(replicas)
        : Math.max(0, placement.involved(writes) - (placement.total() - replicas));
  }

  static boolean isLocal(ConsistencyLevel level) {
    return level == ConsistencyLevel.LOCAL_ONE || level == ConsistencyLevel.LOCAL_QUORUM;
  }

  private static ReplicaPlacement at(ReplicaPlacement placement, String dataCentre) {
    return new ReplicaPlacement(placement.byDataCentre(), dataCentre);
  }
}
