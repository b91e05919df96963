package org.calando.hdfs;

/** What the placement of a NameNode does: {@code Calando:type=GearPlacement}. */
public interface GearPlacementMXBean {
  /** {@code in force}, or why it is not. */
  String getState();

  /** {@code rabbit}, {@code paraid}, or empty if none is in force. */
  String getLayout();

  /** The gear in force; 0 if none is. */
  int getGear();

  /** Nodes that are on in gear 1, 2 and so on: {@code 3,7}. */
  String getGears();

  /** The gear file's path. */
  String getFile();

  /** CRC32C of what was read of the gear file last, in hexadecimal. */
  String getFileHash();

  /** How often a changed gear file was read. */
  long getFileReads();

  /** Addresses of the nodes, in their order. */
  String[] getNodes();

  /** How many of these have told this NameNode what they hold, since it started. */
  int getNodesHeardOf();

  /** New blocks placed by the layout. */
  long getBlocksPlaced();

  /** Replicas of these that were sent to node 1, 2 and so on. */
  long[] getReplicasByNode();

  /** New blocks that could not go to all their homes. */
  long getBlocksOffloaded();

  /** Replicas that went to node 1, 2 and so on in place of a home. */
  long[] getOffloadedByNode();

  /** Requests for more replicas of a block that its layout's rule needed none for. */
  long getReplicationsSpared();

  /**
   * Requests for more replicas of blocks of other files, which wait for nodes that are off and have
   * not told this NameNode what they hold.
   */
  long getReplicationsSparedElsewhere();

  /** Replicas that were ordered as a block had too few. */
  long getReplicationsOrdered();

  /** Requests left to HDFS's default placement, though the layout is in force. */
  long getFallbacks();

  /** The last error that led to one; empty if there was none. */
  String getLastError();

  /** Lines that are safe in the off-load log. */
  long getLogWritten();

  /** Lines that are not: the log could not be written, or was too slow. */
  long getLogErrors();
}
