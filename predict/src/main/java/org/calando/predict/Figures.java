package org.calando.predict;

import java.util.List;
import org.calando.studyfile.profile.Quantity;

/**
 * What a run shows, be it measured or simulated. Immutable; a figure that there is none of is NaN.
 *
 * @param throughput operations per second
 * @param cpuMillis CPU time of all nodes for an operation, in ms
 * @param clientMillis CPU time of the load generator for an operation, in ms
 * @param readMillis mean latency of reads, in ms
 * @param writeMillis mean latency of writes, in ms
 * @param reads that were judged
 * @param staleReads of these
 * @param nodeCores CPU time that each node used a second, in cores; empty if it is not known
 * @param tails what is measured, and simulated, for nodes with stages only
 */
public record Figures(
    double throughput,
    double cpuMillis,
    double clientMillis,
    double readMillis,
    double writeMillis,
    long reads,
    long staleReads,
    List<Double> nodeCores,
    Tails tails) {
  /**
   * Tails of latencies, and how late writes are, in ms.
   *
   * @param readP99 99th percentile of reads
   * @param writeP99 99th percentile of writes
   * @param lag mean time from a write's first replica to its last
   * @param lagP99 99th percentile of it
   */
  public record Tails(double readP99, double writeP99, double lag, double lagP99) {
    /** None is known. */
    public static final Tails UNKNOWN = new Tails(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }

  /** Copies the list. */
  public Figures {
    nodeCores = List.copyOf(nodeCores);
  }

  /** Share of reads that were stale; NaN without reads. */
  public double staleRate() {
    return (double) staleReads / reads;
  }

  /** The figure of a quantity; NaN of watts and joules, which {@link NodePower} tells. */
  public double get(Quantity quantity) {
    return switch (quantity) {
      case THROUGHPUT -> throughput;
      case CPU -> cpuMillis;
      case CLIENT_CPU -> clientMillis;
      case READ_LATENCY -> readMillis;
      case WRITE_LATENCY -> writeMillis;
      case STALE -> staleRate();
      case READ_P99 -> tails.readP99();
      case WRITE_P99 -> tails.writeP99();
      case LAG -> tails.lag();
      case LAG_P99 -> tails.lagP99();
      case WATTS, JOULES -> Double.NaN;
    };
  }
}
