package org.calando.studyfile.sim;

import java.util.Optional;
import org.calando.sim.away.Absences;
import org.calando.sim.away.ShiftCosts;
import org.calando.sim.cluster.CoordinatorChoice;
import org.calando.sim.cluster.MasterReplica;
import org.calando.sim.cluster.ReadRepair;
import org.calando.sim.cluster.ReplicaChoice;
import org.calando.sim.cluster.ServiceTimes;
import org.calando.sim.kernel.Distribution;

/**
 * How a simulated cluster works, whatever its size.
 *
 * <p>Immutable and thread safe.
 *
 * @param clientLatency one way of a message between a client and its coordinator
 * @param latency one way of a message between nodes of a rack
 * @param betweenRacks the same between racks of a data centre
 * @param betweenDataCentres the same between data centres
 * @param services what work costs a node
 * @param coordinators whom clients ask
 * @param replicas whom coordinators ask
 * @param readAll whether reads go to all replicas
 * @param digests whether all replicas that are asked but one send digests
 * @param readRepair what is done about replies that differ
 * @param backgroundRepair share of reads that repair all replicas after the answer, 0 .. 1
 * @param writeLag how much later a write is sent to replicas that its level does not wait for
 * @param masters replication from masters, in place of writes to all replicas at once
 * @param deferral writes that are not sent when they begin
 * @param absences what is kept for replicas that are down, and what it costs them to go and come
 * @param readTimeoutNanos after which a read is given up
 * @param writeTimeoutNanos after which a write is given up
 * @param detectionNanos how long a node's failure and return go unnoticed
 */
public record SimModel(
    Distribution clientLatency,
    Distribution latency,
    Distribution betweenRacks,
    Distribution betweenDataCentres,
    ServiceTimes services,
    CoordinatorChoice coordinators,
    ReplicaChoice replicas,
    boolean readAll,
    boolean digests,
    ReadRepair readRepair,
    double backgroundRepair,
    Optional<Distribution> writeLag,
    Optional<MasterReplica> masters,
    SimDeferral deferral,
    Absences absences,
    long readTimeoutNanos,
    long writeTimeoutNanos,
    long detectionNanos) {
  private static final long MILLI = 1_000_000L;

  private static final Distribution LATENCY = Distribution.constant(0.13 * MILLI);

  /** What a study gets that says nothing of it. */
  static final SimModel DEFAULT =
      new SimModel(
          LATENCY,
          LATENCY,
          LATENCY,
          LATENCY,
          ServiceTimes.li2013(),
          CoordinatorChoice.ROUND_ROBIN,
          ReplicaChoice.RANDOM,
          false,
          true,
          ReadRepair.NONE,
          0,
          Optional.empty(),
          Optional.empty(),
          SimDeferral.NONE,
          Absences.DEFAULT,
          5_000 * MILLI,
          2_000 * MILLI,
          10_000 * MILLI);

  /** Whether nodes stand in groups of a master and its replicas. */
  public boolean hasGroups() {
    return masters.map(MasterReplica::groups).orElse(false);
  }

  /** The same with other choices of whom to ask, and shifts that cost what Cassandra's do. */
  SimModel asking(CoordinatorChoice whomClients, ReplicaChoice whomCoordinators) {
    return new SimModel(
        clientLatency,
        latency,
        betweenRacks,
        betweenDataCentres,
        services,
        whomClients,
        whomCoordinators,
        readAll,
        digests,
        readRepair,
        backgroundRepair,
        writeLag,
        masters,
        deferral,
        absences.shifts().isPresent() ? absences : absences.with(ShiftCosts.CASSANDRA),
        readTimeoutNanos,
        writeTimeoutNanos,
        detectionNanos);
  }
}
