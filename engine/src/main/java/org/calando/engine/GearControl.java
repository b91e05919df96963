package org.calando.engine;

import org.calando.core.layout.gear.GearShift;

/**
 * Shifts a cluster's gear, and reports what each shift took. One shift at a time; what asks for the
 * gear is thread safe.
 */
public interface GearControl {
  /** What it acts on, for journals. */
  String target();

  /** The gear that the cluster is in, or is being shifted to. */
  int gear();

  /** The gear in which all nodes are on. */
  int highest();

  /** How many of the nodes that are on in a gear do not serve now. */
  int notServing(int gear);

  /** Replicas of files. */
  int replication();

  /** Who is told of nodes that go off and come on, from now on. */
  void tell(NodePresence presence);

  /**
   * Shifts; what was written meanwhile is brought home as fast as it goes.
   *
   * @throws org.calando.core.FailedWorkException if a step fails
   */
  GearShift shift(int to) throws InterruptedException;
}
