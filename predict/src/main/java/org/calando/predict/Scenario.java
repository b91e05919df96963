package org.calando.predict;

import java.util.OptionalInt;
import org.calando.core.BadRequestException;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.workload.Mix;
import org.calando.core.workload.Workload;
import org.calando.schema.Units;
import org.calando.studyfile.profile.ClusterShape;
import org.calando.studyfile.profile.Quantity;

/**
 * What is to be predicted: a cluster, a workload, levels and a load. Immutable and thread safe.
 *
 * @param cluster the cluster
 * @param workload reads, updates and inserts
 * @param read level of reads
 * @param write level of writes
 * @param threads of a closed loop; empty for an open one
 * @param perSecond rate of an open loop with Poisson arrivals, above 0; NaN for a closed one
 */
public record Scenario(
    ClusterShape cluster,
    Workload workload,
    ConsistencyLevel read,
    ConsistencyLevel write,
    OptionalInt threads,
    double perSecond) {
  /**
   * Checks the values.
   *
   * @throws BadRequestException if the workload has operations that cannot be predicted
   */
  public Scenario {
    Mix mix = workload.mix();
    if (mix.scan() > 0 || mix.readModifyWrite() > 0) {
      throw new BadRequestException(
          "scans and read-modify-writes cannot be predicted",
          "workload",
          "take a mix of reads, updates and inserts");
    }
    if (threads.isPresent() == perSecond > 0) {
      throw new BadRequestException(
          "a load is either threads or a rate", "load", "write one of them");
    }
  }

  /** Whether operations arrive at a rate and do not wait for those before them. */
  boolean isOpen() {
    return threads.isEmpty();
  }

  /** Share of reads. */
  double readShare() {
    return workload.mix().read();
  }

  /** Replicas that a read waits for. */
  int readReplicas() {
    return read.replicas(cluster.replicationFactor());
  }

  /** Replicas that a write waits for. */
  int writeReplicas() {
    return write.replicas(cluster.replicationFactor());
  }

  /** Whether reads can be stale: read and write levels do not overlap, and there are both. */
  boolean mayBeStale() {
    return readReplicas() + writeReplicas() <= cluster.replicationFactor()
        && readShare() > 0
        && readShare() < 1;
  }

  /** Whether its runs tell anything of a quantity. */
  boolean tells(Quantity quantity) {
    return switch (quantity) {
      case THROUGHPUT -> !isOpen();
      case CPU, CLIENT_CPU, WATTS, JOULES -> true;
      case READ_LATENCY, READ_P99 -> readShare() > 0;
      case WRITE_LATENCY, WRITE_P99 -> readShare() < 1;
      case LAG, LAG_P99 -> readShare() < 1 && cluster.replicationFactor() > 1;
      case STALE -> mayBeStale();
    };
  }

  /** Both levels in a word: {@code QUORUM}, {@code ONE/QUORUM} for read and write. */
  String levels() {
    return read == write ? read.name() : read + "/" + write;
  }

  /** The load in a word: {@code 20t}, {@code 400/s}. */
  String load() {
    return threads.isPresent() ? threads.getAsInt() + "t" : Units.formatRate(perSecond);
  }
}
