package org.calando.local.hdfs;

import java.nio.file.Path;

/**
 * A DataNode of a local cluster. Immutable.
 *
 * @param index 1 to N
 * @param name {@code n1} to {@code nN}
 * @param address where it listens
 * @param transferPort where it takes blocks; with the address what the NameNode calls it
 * @param dataFolder its only storage
 * @param pid its process last started, or 0
 * @param startTicks when that started, in clock ticks since boot
 * @param logFile its log
 */
public record LocalHdfsNode(
    int index,
    String name,
    String address,
    int transferPort,
    Path dataFolder,
    long pid,
    long startTicks,
    Path logFile) {

  /** What the NameNode, a hosts file and a gear file call it, {@code address:transferPort}. */
  public String transferAddress() {
    return address + ":" + transferPort;
  }
}
