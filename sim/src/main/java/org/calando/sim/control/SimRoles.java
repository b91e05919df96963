package org.calando.sim.control;

import java.util.List;
import java.util.stream.IntStream;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.replication.RoleWatch;
import org.calando.sim.cluster.Replication;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.Topology;

/*
 * What a node would say of itself. Who is the master, clients decide: the first of a group that is
 * believed to be up and lacks no writes. A replica's link is down while its master does not serve,
 * and while others do not know that it serves itself. Offsets count what masters of the group have
 * sent on, whichever node it was, less what the replica has yet to get: so they go on over
 * fail-overs, as those of Redis do.
 */
/**
 * Watches the roles of a simulated cluster's nodes, as those of a real one are watched. Belongs to
 * the simulation's thread.
 */
final class SimRoles {
  private final SimCluster cluster;
  private final Replication replication;
  private final double writeBytes;
  private final List<String> names;
  private final RoleWatch watch;
  private final long[] lives;
  private final boolean[] served;
  private final long[] reads;

  /**
   * A watch of which nothing is known.
   *
   * @param writeBytes bytes of a write in the replication stream, above 0
   */
  SimRoles(SimCluster cluster, double writeBytes) {
    this.cluster = cluster;
    this.replication = cluster.replication();
    this.writeBytes = writeBytes;
    this.names = cluster.config().topology().nodes().stream().map(Topology.Node::name).toList();
    this.watch = new RoleWatch(names, now(), RoleWatch.PROMISE_NANOS);
    this.lives = new long[names.size()];
    this.served = new boolean[names.size()];
    this.reads = new long[names.size()];
  }

  private long now() {
    return cluster.simulation().nowNanos();
  }

  /** The nodes' names, in their order. */
  List<String> names() {
    return names;
  }

  /** Asks all nodes. */
  void look() {
    // Masters first: a replica's lag is told by what its master has said.
    IntStream.range(0, names.size()).filter(this::isMaster).forEach(this::ask);
    IntStream.range(0, names.size()).filter(node -> !isMaster(node)).forEach(this::ask);
  }

  private boolean isMaster(int node) {
    return replication.masterOf(node) == node;
  }

  private void ask(int node) {
    String name = names.get(node);
    if (!cluster.isServing(node)) {
      lives[node] += served[node] ? 1 : 0;
      served[node] = false;
      var unused = watch.silent(name, now());
      return;
    }
    served[node] = true;
    NodeRole word = word(node);
    NodeRole last = watch.view(name).orElseThrow().word();
    // A second word of the same moment would be taken for another stream.
    if (!word.equals(last)) {
      var unused = watch.said(word);
    }
  }

  private NodeRole word(int node) {
    int master = replication.masterOf(node);
    boolean isMaster = master == node;
    boolean linked =
        isMaster || (master >= 0 && cluster.isServing(master) && cluster.isSeenUp(node));
    long replicated = 0;
    int followers = 0;
    for (int other = 0; other < names.size(); other++) {
      if (replication.masterOf(other) == master) {
        replicated += replication.replicated(other);
        followers += other != node && cluster.isServing(other) ? 1 : 0;
      }
    }
    long applied = isMaster ? replicated : Math.max(0, replicated - replication.behind(node));
    return new NodeRole(
        names.get(node),
        0,
        Long.toString(lives[node]),
        isMaster ? Role.MASTER : Role.REPLICA,
        isMaster || master < 0 ? "" : names.get(master),
        linked,
        StrictMath.round(applied * writeBytes),
        isMaster ? followers : 0,
        now());
  }

  /** Takes which nodes have served reads since the last time. */
  void lookAtReads() {
    for (int node = 0; node < names.size(); node++) {
      long all = replication.reads(node);
      var unused = watch.reads(names.get(node), all > reads[node], now());
      reads[node] = all;
    }
  }

  /** What is known of each node, in their order. */
  List<NodeView> view() {
    return names.stream().map(name -> watch.view(name).orElseThrow()).toList();
  }
}
