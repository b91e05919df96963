package org.calando.store.cassandra.gear;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
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

  /** Why a node did not answer that was asked last, in brackets; empty if that is not known. */
  default String silence(String node) {
    return "";
  }

  /**
   * Where the replicas of the keyspaces that clients rely on are, by the nodes' names.
   *
   * @param asked the node that tells
   * @param names of all nodes by their host ids
   */
  Replicas replicas(String asked, Map<String, String> names);

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

  /** Compares some keys of each table of clients on all their replicas, which have to be up. */
  Compared compare();

  /**
   * What a sample of keys tells.
   *
   * @param keys that were compared
   * @param differing tables with keys that are not the same on all replicas
   * @param unknown why not all were compared; empty if they were
   */
  record Compared(int keys, List<String> differing, Optional<String> unknown) {
    /** Copies the list. */
    public Compared {
      differing = List.copyOf(differing);
    }
  }

  /** How long the tables of clients keep their deletions. */
  Graces graces();

  /**
   * How long a table keeps its deletions; its hints expire with them.
   *
   * @param table as {@code KEYSPACE.TABLE}
   * @param id another one for each table that is made
   * @param seconds its {@code gc_grace_seconds}, 0 or more
   */
  record Grace(String table, String id, long seconds) {}

  /**
   * What tables tell.
   *
   * @param tables those of clients; none where they have none, or they are not known
   * @param unknown why they are not known; empty if they are
   * @param isSecured whether it logs in, or comes encrypted, so that they are to be known
   */
  record Graces(List<Grace> tables, Optional<String> unknown, boolean isSecured) {
    /** Copies the list. */
    public Graces {
      tables = List.copyOf(tables);
    }

    /** Of some tables the one that keeps its deletions for the shortest time. */
    public Optional<Grace> shortest(Predicate<Grace> which) {
      return tables.stream()
          .filter(which)
          .min(Comparator.comparingLong(Grace::seconds).thenComparing(Grace::table));
    }
  }

  /**
   * Has a node keep hints for so long, and so many; it forgets that when it starts again.
   *
   * @param mostMebibytes for a node; 0 for any number
   */
  void keepHints(String node, int millis, int mostMebibytes);

  /** Has a node begin repairs by itself, or no more; it forgets that when it starts again. */
  void repairByItself(String node, Set<String> types, boolean does);

  /** Has a node write everything to disk and leave its clients; returns when it has. */
  void drain(String node) throws InterruptedException;

  /** Has a node take requests of clients, or none once those under way are answered. */
  void serve(String node, boolean serves);

  /**
   * Has a node compare all its ranges of a keyspace with their other replicas, and get what it
   * lacks; returns when that has ended.
   *
   * @param withoutEnded whether replicas that are down are left out; else it fails for them
   * @throws org.calando.core.FailedWorkException if it has not succeeded
   */
  void repair(String node, String keyspace, boolean withoutEnded) throws InterruptedException;
}
