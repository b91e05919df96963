package org.calando.concerto;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;

/*
 * CPU time counts for the role that a node has when it is read, which is each second: of the second
 * in which roles change, a part goes to the wrong one. What a process used between its last reading
 * and its end is lost.
 */
/** CPU time of nodes' processes, by what they say to be. Not thread safe. */
final class RoleCpu {
  private final ProcessNanos processNanos;
  private final Map<String, Server> servers = new HashMap<>();
  private long atNanos;
  private long masterNanos;
  private long replicaNanos;
  private double replicaTimesNanos;
  private boolean masterKnown;

  /** CPU time of a node's process with all its threads; empty while it is not known. */
  @FunctionalInterface
  interface ProcessNanos {
    OptionalLong of(String node, long pid);
  }

  private static final class Server {
    long pid;
    long readNanos;
    long totalNanos;
    boolean known;
  }

  /** Nothing counted yet. */
  RoleCpu(ProcessNanos processNanos, long nowNanos) {
    this.processNanos = processNanos;
    atNanos = nowNanos;
  }

  /**
   * What was used by roles.
   *
   * @param master of nodes while they said to be the master, in seconds; NaN if it never was known
   * @param replica of all while they said to be a replica
   * @param replicaTimes time in seconds, of all of them together, over which they said so
   */
  record Used(double master, double replica, double replicaTimes) {
    Used since(Used earlier) {
      double before = Double.isNaN(earlier.master) ? 0 : earlier.master;
      return new Used(
          master - before, replica - earlier.replica, replicaTimes - earlier.replicaTimes);
    }

    /**
     * Of one replica, in the mean.
     *
     * @param seconds how long the whole took
     * @return NaN if there was none
     */
    double replicaMean(double seconds) {
      return replicaTimes > 0 ? replica / (replicaTimes / seconds) : Double.NaN;
    }
  }

  /** Reads all servers. */
  void read(List<NodeView> views, long nowNanos) {
    long elapsed = Math.max(0, nowNanos - atNanos);
    atNanos = nowNanos;
    for (NodeView view : views) {
      Server server = servers.computeIfAbsent(view.node(), node -> new Server());
      long used = read(server, view);
      if (!server.known) {
        continue;
      }
      masterKnown |= view.role() == Role.MASTER;
      if (view.role() == Role.MASTER) {
        masterNanos += used;
      } else if (view.role() == Role.REPLICA) {
        replicaNanos += used;
        replicaTimesNanos += elapsed;
      }
    }
  }

  private long read(Server server, NodeView view) {
    long pid = view.word().pid();
    if (pid <= 0) {
      server.known = false;
      return 0;
    }
    OptionalLong known = processNanos.of(view.node(), pid);
    server.known = known.isPresent();
    if (known.isEmpty()) {
      return 0;
    }
    long now = known.getAsLong();
    // A process of another number began when it was not looked: all that it used is new. The first
    // of a node may have run for long.
    boolean first = server.pid == 0;
    long before = pid == server.pid ? server.readNanos : first ? now : 0;
    long used = Math.max(0, now - before);
    server.pid = pid;
    server.readNanos = Math.max(now, before);
    server.totalNanos += used;
    return used;
  }

  /** Whether the CPU time of a node's process was known at the last reading. */
  boolean knows(String node) {
    Server server = servers.get(node);
    return server != null && server.known;
  }

  /** CPU time of a node's process, or processes, since it was first read, in nanoseconds. */
  long totalNanos(String node) {
    Server server = servers.get(node);
    return server == null ? 0 : server.totalNanos;
  }

  /** What was used until the last reading. */
  Used used() {
    double master = masterKnown ? masterNanos / 1e9 : Double.NaN;
    return new Used(master, replicaNanos / 1e9, replicaTimesNanos / 1e9);
  }
}
