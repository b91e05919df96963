package org.calando.store.hdfs;

import java.util.List;

/**
 * A file and its blocks. Immutable.
 *
 * @param path absolute
 * @param replication copies of each block that the file asks for
 * @param open whether somebody writes it: its last block may grow
 * @param blocks in the file's order
 */
public record FileBlocks(String path, int replication, boolean open, List<BlockReplicas> blocks) {

  /** Copies the list. */
  public FileBlocks {
    blocks = List.copyOf(blocks);
  }

  /**
   * A block and where it can be read. Immutable.
   *
   * <p>The NameNode does not name replicas on nodes in maintenance, on or off: they count towards
   * the file's replication, and are named again when their node is in service.
   *
   * @param pool the block pool
   * @param id its number
   * @param generation its generation stamp
   * @param bytes its length
   * @param offset of its first byte in the file
   * @param holders uuids of the nodes not in maintenance that hold a replica that is not corrupt,
   *     in no order that means anything; of an open file's last block those that it is written to
   * @param corrupt whether no replica is sound; then the holders are of corrupt ones
   */
  public record BlockReplicas(
      String pool,
      long id,
      long generation,
      long bytes,
      long offset,
      List<String> holders,
      boolean corrupt) {

    /** Copies the list. */
    public BlockReplicas {
      holders = List.copyOf(holders);
    }
  }
}
