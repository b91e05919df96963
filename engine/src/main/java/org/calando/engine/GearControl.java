package org.calando.engine;

import java.util.function.Consumer;
import org.calando.core.layout.gear.GearShift;
import org.calando.core.store.Capable;

/**
 * Shifts a cluster's gear, and reports what each shift took. One shift at a time; what asks for the
 * gear is thread safe.
 */
public interface GearControl extends Capable {
  /** A capability of clusters whose gears studies shift. */
  interface Source {
    /**
     * What shifts its gear.
     *
     * @throws org.calando.core.FailedWorkException if nodes do not answer
     */
    GearControl gears();
  }

  /** What it acts on, for journals. */
  String target();

  /** The gear that the cluster is in, or is being shifted to. */
  int gear();

  /** The gear in which all nodes are on. */
  int highest();

  /** How many of the nodes that are on in a gear do not serve now. */
  int notServing(int gear);

  /** Replicas of files, or of rows. */
  int replication();

  /** Who is told of nodes that go off and come on, from now on. */
  void tell(NodePresence presence);

  /** Who hears what there is to report of shifts, a line each, on any thread; nobody at first. */
  default void hear(Consumer<String> news) {}

  /**
   * Shifts; what was written meanwhile is brought home as fast as it goes.
   *
   * @throws org.calando.core.FailedWorkException if a step fails
   */
  GearShift shift(int to) throws InterruptedException;

  /** Whether a shift was begun that has not come to its end: {@link #settle} is to end it. */
  boolean isOpen();

  /**
   * Ends a shift that was cut off, with all data readable; does nothing if there is none.
   *
   * @throws org.calando.core.FailedWorkException if a step fails
   */
  void settle() throws InterruptedException;

  /** The command that has all nodes on again, as they are now. */
  default String remedy() {
    return "./calando gear up" + (isOpen() ? " --resume" : "");
  }
}
