package org.calando.core.replication;

/**
 * What one node said of itself at one moment. Immutable and thread safe.
 *
 * @param node the node's name
 * @param pid number of its process on its machine, or 0 where it is not told
 * @param incarnation a text that is another after each start of the node; may be empty
 * @param role what it says to be
 * @param upstream the node that it follows, by name, or by address where no node of the inventory
 *     has it; empty for a master
 * @param linkUp whether a replica is connected to its upstream and past its first synchronisation;
 *     true for a master
 * @param offsetBytes bytes of the replication stream that a master has written, or that a replica
 *     has applied; 0 or more, or -1 where it is not told
 * @param followers replicas that are attached to it, 0 or more
 * @param atNanos when it answered, on the clock of who asked
 */
public record NodeRole(
    String node,
    long pid,
    String incarnation,
    Role role,
    String upstream,
    boolean linkUp,
    long offsetBytes,
    int followers,
    long atNanos) {

  /** A node that has said nothing. */
  public static NodeRole unknown(String node, long atNanos) {
    return new NodeRole(node, 0, "", Role.UNKNOWN, "", false, -1, 0, atNanos);
  }

  /** The last that was known of a node that no longer answers. */
  public NodeRole silent(long nowNanos) {
    return new NodeRole(
        node, pid, incarnation, Role.UNKNOWN, upstream, false, offsetBytes, followers, nowNanos);
  }
}
