package org.calando.core.replication;

/**
 * What a server has done since its start, at one moment. Immutable and thread safe.
 *
 * @param atNanos the moment, on the clock of who asks
 * @param offsetBytes of the replication stream, written or applied; -1 where it is not told
 * @param writes commands that change data, carried out for clients or for the master, 0 or more
 * @param writeNanos time that carrying them out took, without receiving and answering
 * @param reads commands that read data
 * @param readNanos likewise
 * @param mainCpuNanos CPU time of the thread that carries out commands; -1 where it is not known
 * @param ioCpuNanos CPU time of threads that receive and answer for it; 0 without any, -1 likewise
 */
public record ServerCounts(
    long atNanos,
    long offsetBytes,
    long writes,
    long writeNanos,
    long reads,
    long readNanos,
    long mainCpuNanos,
    long ioCpuNanos) {

  /** Whether all of it can have come after {@code earlier} in one life of the server. */
  public boolean follows(ServerCounts earlier) {
    return atNanos > earlier.atNanos
        && writes >= earlier.writes
        && writeNanos >= earlier.writeNanos
        && reads >= earlier.reads
        && readNanos >= earlier.readNanos
        && mainCpuNanos >= earlier.mainCpuNanos
        && ioCpuNanos >= earlier.ioCpuNanos;
  }
}
