package org.calando.store.hdfs;

/**
 * Bytes that a DataNode has read for clients and written since its process started. Immutable.
 *
 * @param name {@code ADDRESS:PORT} where the node takes blocks
 * @param startedMillis when its process started, by its clock: a count of another process begins at
 *     zero
 * @param readBytes of replicas, also for copies to other nodes
 * @param writtenBytes of replicas: each byte of a file counts on each node that has a replica
 */
public record NodeTraffic(String name, long startedMillis, long readBytes, long writtenBytes) {
  /** Bytes read since an earlier look at the node, as far as this process of it knows. */
  public long readSince(NodeTraffic earlier) {
    return startedMillis == earlier.startedMillis ? readBytes - earlier.readBytes : readBytes;
  }

  /** Bytes written since an earlier look at the node, as far as this process of it knows. */
  public long writtenSince(NodeTraffic earlier) {
    return startedMillis == earlier.startedMillis
        ? writtenBytes - earlier.writtenBytes
        : writtenBytes;
  }
}
