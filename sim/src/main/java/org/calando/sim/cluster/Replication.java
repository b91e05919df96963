package org.calando.sim.cluster;

import org.calando.core.BadRequestException;

/**
 * Masters and replicas of a cluster whose nodes stand in {@link ReplicaGroups}: who is what, what
 * each has done, and what it has yet to get. All counts are since the simulation's begin. Belongs
 * to the thread of its simulation.
 */
public final class Replication {
  private final ReplicaGroups groups;
  private final Coordinators coordinators;
  private final Membership membership;
  private final ReplicaWork work;

  Replication(
      ReplicaGroups groups, Coordinators coordinators, Membership membership, ReplicaWork work) {
    this.groups = groups;
    this.coordinators = coordinators;
    this.membership = membership;
    this.work = work;
  }

  /** Whether a cluster is one whose roles can be told. */
  static boolean isOf(ClusterConfig config) {
    return config.masterReplica() != null
        && config.clocks() != null
        && config.placement() instanceof ReplicaGroups;
  }

  static BadRequestException none() {
    return new BadRequestException(
        "the cluster has no nodes with roles of their own",
        "simulated cluster",
        "give it masters with replicas in groups, and clocks");
  }

  /** The node that takes the writes of a node's group; -1 if none of it is believed to be up. */
  public int masterOf(int node) {
    return coordinators.master(groups.nodes(groups.groupOf(node)));
  }

  /** Names who is told, at once, of every change of who serves, and of who is believed to. */
  public void whenRolesChange(Runnable told) {
    membership.tell(told);
  }

  /** Writes that a node has sent on to its replicas, as a master. */
  public long replicated(int node) {
    return work.sent(node);
  }

  /** Writes of its master that a node has yet to get: under way, in wait, or kept for it. */
  public long behind(int node) {
    return work.pending(node) + membership.owed(node);
  }

  /** Reads that a node has carried out. */
  public long reads(int node) {
    return work.reads(node);
  }

  /** Writes that a node has carried out, those of others included. */
  public long writes(int node) {
    return work.writes(node);
  }

  /** Core time that a node spent on reads, coordination included, in nanoseconds. */
  public long readNanos(int node) {
    return work.readNanos(node);
  }

  /** Likewise on writes. */
  public long writeNanos(int node) {
    return work.writeNanos(node);
  }
}
