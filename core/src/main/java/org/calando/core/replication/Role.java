package org.calando.core.replication;

/** What a node of a store with one master is to the others, by its own word. */
public enum Role {
  /** Takes writes. */
  MASTER,
  /** Follows a master, or another replica. */
  REPLICA,
  /** Has not answered yet, or no longer does. */
  UNKNOWN
}
