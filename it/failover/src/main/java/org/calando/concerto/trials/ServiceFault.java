package org.calando.concerto.trials;

import java.util.List;

/** What goes wrong in a trial of the governor's service. */
public enum ServiceFault {
  /** The governor is killed, and started again a while later. */
  GOVERNOR_KILLED,
  /** An agent is killed, but not its guard, and started again a while later. */
  AGENT_KILLED,
  /** A server is killed, the master or a replica, and started again a while later. */
  NODE_KILLED,
  /** The link from the governor to one agent, or to all, is frozen or cut. */
  LINK_CUT,
  /** The disk with the state of the governor, or of an agent, is full. */
  DISK_FULL,
  /** The governor is to read a file again that is wrong. */
  WRONG_FILE,
  /** A second governor of the cluster begins. */
  SECOND_GOVERNOR;

  /** When it goes wrong. */
  public enum Phase {
    /** While the governor begins. */
    BEGIN,
    /** While it governs. */
    GOVERNED,
    /** While it ends. */
    END
  }

  /** When it can: who is starting or ending is not asked to read a file again. */
  List<Phase> phases() {
    return this == WRONG_FILE ? List.of(Phase.GOVERNED) : List.of(Phase.values());
  }
}
