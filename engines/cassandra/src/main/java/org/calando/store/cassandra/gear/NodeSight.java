package org.calando.store.cassandra.gear;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.calando.core.layout.rack.RackNode;

/**
 * What a node that answers reports of itself and of the others. Immutable and thread safe.
 *
 * @param node which it is
 * @param hostId what the cluster calls it, whatever its address
 * @param mode {@code NORMAL}, {@code DRAINED} and so on
 * @param serves whether it takes requests of clients
 * @param live host ids of the nodes that it holds to be up, its own too
 * @param members host ids of all nodes that it knows of
 * @param schema version of the schema
 * @param process which of its processes it is
 * @param hints of writes for nodes that are away
 * @param busy what it is at that a shift must not cut off, in words; empty if nothing
 */
public record NodeSight(
    RackNode node,
    String hostId,
    String mode,
    boolean serves,
    Set<String> live,
    Set<String> members,
    String schema,
    Life process,
    Hints hints,
    List<String> busy) {
  /** A node that serves. */
  public static final String NORMAL = "NORMAL";

  /** A node that has written everything to disk, and takes no requests until it starts again. */
  public static final String DRAINED = "DRAINED";

  /** Copies the collections. */
  public NodeSight {
    live = Set.copyOf(live);
    members = Set.copyOf(members);
    busy = List.copyOf(busy);
  }

  /**
   * A process of a node.
   *
   * @param startMillis when it started, of the node's own clock
   * @param upMillis for how long it runs, whatever is done to clocks
   * @param repairs types of repair that it begins by itself, as later ones than 5.0.6 may
   */
  public record Life(long startMillis, long upMillis, Set<String> repairs) {
    /** Copies the set. */
    public Life {
      repairs = Set.copyOf(repairs);
    }
  }

  /** When its process started. */
  public long startMillis() {
    return process.startMillis();
  }

  /**
   * Host ids of members for which it has files of hints; those for nodes that left are nobody's.
   */
  public Set<String> owes() {
    return hints.targets().stream().filter(members::contains).collect(Collectors.toSet());
  }

  /**
   * Hints of a node.
   *
   * @param enabled whether it keeps any for its data centre
   * @param windowMillis for how long a node may be away until writes for it are not kept any more
   * @param mostMebibytes that are kept for a node; 0 for any number
   * @param written since its start
   * @param delivered since its start, those of former lives too; of a page that is sent again each
   *     time that it is
   * @param failed since its start to be delivered at once: their pages are sent again
   * @param targets host ids of nodes for which it has files of hints, but for those that are
   *     written or sent just now
   * @param notKept writes since its start that were for a node away beyond the window
   */
  public record Hints(
      boolean enabled,
      int windowMillis,
      int mostMebibytes,
      long written,
      long delivered,
      long failed,
      Set<String> targets,
      long notKept) {
    /** Copies the set. */
    public Hints {
      targets = Set.copyOf(targets);
    }

    /** What is written and not delivered, as far as counters tell that; may be below 0. */
    public long waiting() {
      return written - delivered;
    }
  }
}
