package org.calando.store.hdfs;

/*
 * The NameNode has no counter of copies that it ordered. SuccessfulReReplications also counts
 * replicas of new blocks that are reported after their file was completed, and what an order came to
 * is not in any of its counters. A DataNode counts in BlocksReplicated what it sent because the
 * NameNode ordered it, and nothing else: writes, and copies that a balancer or Calando asks for, are
 * other operations. So no copy was ordered and carried out where no node's count has grown.
 */
/**
 * How many blocks a DataNode has sent to others because the NameNode ordered it. Immutable.
 *
 * @param name {@code ADDRESS:PORT} where the node takes blocks
 * @param startedMillis when its process started, by its clock: a count of another process begins at
 *     zero
 * @param blocks sent since; as old as the node's period of metrics, 10 s by default
 */
public record ReplicationCount(String name, long startedMillis, long blocks) {}
