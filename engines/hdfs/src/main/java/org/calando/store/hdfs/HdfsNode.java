package org.calando.store.hdfs;

import java.time.Instant;

/**
 * A DataNode as the NameNode has it. Immutable.
 *
 * <p>The NameNode sets the time of the last full block report when it has worked through all of
 * one; a restart of the DataNode leaves it, a restart of the NameNode makes it zero until the next.
 * So a report is newer than the start of a node if the time differs from what was read after the
 * node had ended and before it was started: clocks of different machines need not be compared. Live
 * says nothing: a node is live before its report.
 *
 * @param uuid its identity, kept with its storage; empty for one that the NameNode knows from its
 *     hosts file only, and has not heard of since it was started: then its state is not known
 *     either, and {@code NORMAL} even where the hosts file says something else
 * @param name {@code ADDRESS:PORT} where it takes blocks
 * @param hostName its name in its own words
 * @param state in service or not
 * @param live whether it was heard of lately; false only after the NameNode's time for dead nodes
 * @param lastReport when the NameNode had its last full block report, by the NameNode's clock; the
 *     epoch if it had none since it was started
 */
public record HdfsNode(
    String uuid, String name, String hostName, State state, boolean live, Instant lastReport) {

  /** HDFS's admin states. */
  public enum State {
    /** Reads and writes. */
    NORMAL,
    /** On the way out of service for good. */
    DECOMMISSION_INPROGRESS,
    /** Out of service for good. */
    DECOMMISSIONED,
    /** On the way to maintenance: not all blocks have enough replicas elsewhere. */
    ENTERING_MAINTENANCE,
    /** May be switched off: its replicas count, but nobody reads or writes them. */
    IN_MAINTENANCE
  }

  /** Whether it takes reads and writes. */
  public boolean inService() {
    return live && state == State.NORMAL;
  }
}
