package org.calando.store.cassandra.gear;

import java.util.List;
import java.util.Optional;
import org.calando.core.layout.rack.KeyspaceReplicas;

/**
 * The nodes of a cluster as shifts ask and order them. Calls block for seconds; those of a node
 * that does not answer fail with a {@link org.calando.core.FailedWorkException}. Thread safe.
 */
public interface RackServers {
  /** Names of all nodes, in the order of the inventory. */
  List<String> names();

  /** The cluster's name, the same whichever of its nodes answer; not only this one may have it. */
  String target();

  /** What a node reports; empty if it does not answer. */
  Optional<NodeSight> sight(String node);

  /** Where the replicas of the keyspaces that clients rely on are, by the nodes' names. */
  Replicas replicas(List<NodeSight> sights);

  /**
   * Of all keyspaces.
   *
   * @param relied whose ranges have to keep their copies
   * @param reported names of those that need not, as nothing of clients is in them
   */
  record Replicas(List<KeyspaceReplicas> relied, List<String> reported) {
    /** Copies the lists. */
    public Replicas {
      relied = List.copyOf(relied);
      reported = List.copyOf(reported);
    }
  }

  /**
   * The table of clients that keeps its deletions for the shortest time; empty if there is none, or
   * no node can be asked.
   */
  Optional<Grace> shortestGrace();

  /**
   * How long a table keeps its deletions; its hints expire with them.
   *
   * @param table as {@code KEYSPACE.TABLE}
   * @param seconds its {@code gc_grace_seconds}, 0 or more
   */
  record Grace(String table, long seconds) {}

  /** Has a node keep hints for so long; it forgets that when it starts again. */
  void keepHintsFor(String node, int millis);

  /** Has a node write everything to disk and leave its clients; returns when it has. */
  void drain(String node) throws InterruptedException;

  /** Has a node take requests of clients, or none once those under way are answered. */
  void serve(String node, boolean serves);

  /**
   * Has a node compare all its ranges of the relied keyspaces with their other replicas, and get
   * what it lacks; returns when that has ended.
   *
   * @throws org.calando.core.FailedWorkException if it has not succeeded
   */
  void repair(String node, List<String> keyspaces) throws InterruptedException;
}
