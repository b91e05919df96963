package org.calando.sim.scenario;

import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.load.ArrivalProcess;
import org.calando.load.RateProfile;
import org.calando.sim.cluster.ClusterConfig;
import org.calando.sim.cluster.ServiceTimes;
import org.calando.sim.cluster.TokenRing;
import org.calando.sim.cluster.Topology;

/*
 * Work of an operation at reads of R replicas, where all levels' writes go to all three:
 *
 *   reads x (coordinator + R reads) + writes x (coordinator + 3 writes)
 *
 * The fastest sustainable rate at ONE is the cores over that. At QUORUM it is 62 % of it: a load of 80 or
 * 90 % that is well served at ONE overloads the cluster at the level at which reads begin. Keys are many and
 * alike, so that no node has much more to do than others.
 */
/**
 * A load that a cluster of nine nodes can bear at ONE and not at stronger levels. Immutable.
 *
 * @param load share of the rate that reads at ONE can sustain, above 0
 * @param burstNanos length of a burst of 150 % of that rate, 30 s after the begin; 0 for none
 * @param settledNanos from when on figures count: policies have found their level by then
 * @param measuredNanos how long they count
 * @param tolerated share of stale reads, 0 .. 1
 * @param seed of all that is random
 */
public record Overload(
    double load,
    long burstNanos,
    long settledNanos,
    long measuredNanos,
    double tolerated,
    long seed) {
  private static final long SECOND = 1_000_000_000L;
  private static final int NODES = 9;
  private static final int CORES = 4;
  private static final int RECORDS = 50_000;
  private static final int CANARY_KEYS = 2048;
  private static final double READS = 0.7;
  private static final double COORDINATOR_SECONDS = 0.000637;
  private static final double MESSAGE_SECONDS = 0.00001;
  private static final double READ_SECONDS = 0.00242;
  private static final double WRITE_SECONDS = 0.00046;
  private static final double BURST = 1.5;

  /** When the burst begins. */
  static final long BURST_NANOS = 30 * SECOND;

  static final ConsistencyLevel WRITE = ConsistencyLevel.ONE;
  static final ReplicaPlacement PLACEMENT = ReplicaPlacement.single(3);

  /** From 60 s to 100 s counts. */
  public static Overload of(double load, long burstNanos, double tolerated, long seed) {
    return new Overload(load, burstNanos, 60 * SECOND, 40 * SECOND, tolerated, seed);
  }

  /** Operations a second that reads at ONE can sustain. */
  static double capacity() {
    double read = COORDINATOR_SECONDS + MESSAGE_SECONDS + READ_SECONDS;
    double write = COORDINATOR_SECONDS + 3 * (MESSAGE_SECONDS + WRITE_SECONDS);
    return NODES * CORES / (READS * read + (1 - READS) * write);
  }

  double perSecond() {
    return load * capacity();
  }

  ClusterConfig cluster() {
    return ClusterConfig.builder(Topology.racks(NODES, 3), TokenRing.even(NODES, 3))
        .services(ServiceTimes.li2013())
        .mostKeys(RECORDS + CANARY_KEYS)
        .seed(seed)
        .build();
  }

  Workload workload() {
    return Workload.builder()
        .records(RECORDS)
        .mix(Mix.readUpdate(READS, 1 - READS))
        .requests(new RequestDistribution.Uniform())
        .build();
  }

  ArrivalProcess arrivals() {
    return burstNanos == 0
        ? ArrivalProcess.poisson(perSecond())
        : ArrivalProcess.poisson(
            RateProfile.builder()
                .step(perSecond(), BURST_NANOS)
                .step(BURST * capacity(), burstNanos)
                .step(perSecond(), settledNanos + measuredNanos)
                .build());
  }
}
