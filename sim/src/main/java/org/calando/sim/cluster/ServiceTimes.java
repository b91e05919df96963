package org.calando.sim.cluster;

import org.calando.core.BadRequestException;
import org.calando.sim.kernel.Distribution;

/**
 * What each kind of work costs a core, and the disk, of the node that does it.
 *
 * @param client of the coordinator, to take a request and answer it
 * @param coordinator of the coordinator, an operation
 * @param message of the coordinator, for each message that the operation sends to a replica
 * @param reply of the coordinator, for each reply that an operation still waits for, as a job of
 *     its own; often none
 * @param read of a replica, a read of data
 * @param digest of a replica, a read of which it sends the digest only
 * @param write of a replica, a write
 * @param scannedRecord of a replica, each record of a scan but the first
 * @param disk time of a replica's disk for a read that misses its caches
 * @param diskShare share of reads that do, 0 .. 1
 * @param disks reads that a node's disks do at once, 1 or more
 */
public record ServiceTimes(
    Distribution client,
    Distribution coordinator,
    Distribution message,
    Distribution reply,
    Distribution read,
    Distribution digest,
    Distribution write,
    Distribution scannedRecord,
    Distribution disk,
    double diskShare,
    int disks) {
  private static final double MILLI = 1e6;
  private static final double SHAPE = 16;

  /**
   * Checks the values.
   *
   * @throws BadRequestException if one cannot be
   */
  public ServiceTimes {
    if (!(diskShare >= 0 && diskShare <= 1)) {
      throw new BadRequestException(
          "a disk share of %s is not 0 to 1".formatted(diskShare), "service times", "");
    }
    if (disks < 1) {
      throw new BadRequestException("%d disks a node".formatted(disks), "service times", "");
    }
  }

  /**
   * Those that a queueing model of the cluster of Li 2013 was fitted with: 0.047 ms a request, 0.59
   * ms and 0.01 ms a message for its coordinator, 2.42 ms a read and 0.46 ms a write for each
   * replica. Digests cost what reads do. No replies, no disk; 0.02 ms for a scan's further records
   * is an assumption.
   *
   * <p>Client and message are constant, the others gamma with shape 16, a coefficient of variation
   * of 1/4: the slowest of several replicas is then not much slower than any, as the published
   * ratios between levels want it (exponential times make ALL cost 2.16 times ONE, these 1.74, as
   * published).
   */
  public static ServiceTimes li2013() {
    return new ServiceTimes(
        Distribution.constant(0.047 * MILLI),
        Distribution.gamma(0.59 * MILLI, SHAPE),
        Distribution.constant(0.01 * MILLI),
        Distribution.NONE,
        Distribution.gamma(2.42 * MILLI, SHAPE),
        Distribution.gamma(2.42 * MILLI, SHAPE),
        Distribution.gamma(0.46 * MILLI, SHAPE),
        Distribution.constant(0.02 * MILLI),
        Distribution.NONE,
        0,
        1);
  }
}
