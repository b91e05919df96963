package org.calando.gears;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What shifting needs of a store: the real one is behind {@link HdfsGears}. All methods ask the
 * store itself, and throw {@link org.calando.core.FailedWorkException} if it does not answer.
 * Thread safe.
 */
public interface GearCluster {
  /** Names the cluster in journals and to owners of its knob. */
  String target();

  /** All members, in the order of the gear file. */
  List<Member> members();

  /**
   * Whether a member answers by itself now, and was heard of lately. A name server holds a node for
   * live for a while after its death, and one that hangs still takes connections.
   */
  boolean answers(Member member);

  /** The members that the store is told to have in maintenance, by name, in force or not. */
  Set<String> maintained();

  /**
   * Has these members in maintenance, and all others of the gear file in service. Returns when the
   * store was told, not when it is so.
   *
   * @param names as the gear file names them
   */
  void maintain(Set<String> names);

  /** The placement that the name server has in force; empty where our policy is not installed. */
  Optional<InForce> inForce();

  /** A setting of the name server, as it has it now; empty if it does not tell. */
  Optional<String> setting(String key);

  /** Tells every block of every file of the store, folder after folder. */
  void survey(Consumer<StoredBlock> each);

  /** The blocks of one file now; empty if it is gone. */
  List<StoredBlock> file(String path);

  /** Asks a node that is on to report all of its blocks. */
  void askForReport(Member node);

  /** How many blocks the name server counts, in files, being deleted and in snapshots. */
  long blocks();

  /** How many blocks the name server had copied since it started, of its own accord. */
  long reReplications();

  /**
   * Copies a block from node to node; the store itself lets {@code from} go once the copy was
   * checked and reported, if the block has a replica too many then.
   *
   * @param block which
   * @param from the member whose replica is to go
   * @param source the member that it is read from
   * @param to the member that gets it
   * @param within how long it may take
   * @return how it ended
   */
  Outcome transfer(StoredBlock block, int from, int source, int to, Duration within);

  /** How a transfer ended. */
  enum Outcome {
    /** The node has the copy. */
    DONE,
    /** It had one already. */
    WAS_THERE,
    /** A node does as many as it may: try again later. */
    BUSY,
    /** The file was deleted or written anew meanwhile. */
    GONE
  }

  /**
   * What the placement policy says of itself.
   *
   * @param gear in force
   * @param hash of the gear file that it read
   */
  record InForce(int gear, String hash) {}
}
