package org.calando.core.replication;

/**
 * Something changed about a node. Immutable and thread safe.
 *
 * @param kind what changed
 * @param now what the node said last, the change included
 * @param was what it had said before
 * @param atNanos when the change was seen, on the clock of who asked
 */
public record RoleEvent(Kind kind, NodeRole now, NodeRole was, long atNanos) {
  /** What can change. */
  public enum Kind {
    /**
     * It may be the master from now on: it says so, or was chosen to be, or no longer answers. Its
     * clock has to be raised at once.
     */
    RAISE,
    /**
     * It says itself that it is a replica, and nobody promises it more: its clock may be lowered.
     */
    LOWER,
    /** Its process is another one: affinity and clock have to be set anew. */
    RESTARTED,
    /** The threads of its process are others. */
    THREADS,
    /** A replica's link to its upstream went up or down, or its upstream is another. */
    LINK,
    /** A replica began or ceased to serve reads. */
    READS
  }

  /** The node's name. */
  public String node() {
    return now.node();
  }

  /** Whether the node's clock must not be slow after this event, whatever the policy. */
  public boolean isUrgent() {
    return kind == Kind.RAISE;
  }
}
