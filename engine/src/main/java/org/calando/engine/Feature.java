package org.calando.engine;

/**
 * What engines differ in, as far as study files and their checks go. What only a running cluster
 * can offer is a capability, see {@link Target}.
 */
public enum Feature {
  /** Clusters that are started on this machine. */
  LOCAL,
  /** Clusters of the user's own. */
  INVENTORY,
  /** Clusters of the user's own that are governed; studies are on them with {@link #INVENTORY}. */
  GOVERNED,
  /** Clusters that are simulated, in simulated time. */
  SIMULATED,
  /** Files in place of records: no levels, no stale reads, no table. */
  FILES,
  /** A replication factor of the keyspace that is chosen when it is made. */
  REPLICATION_FACTOR,
  /** Several data centres. */
  DATA_CENTRES,
  /** Racks of a local cluster. */
  RACKS,
  /** Users with passwords. */
  USERS,
  /** Encrypted connections. */
  TLS,
  /** Delays of the links between nodes. */
  LINK_DELAYS,
  /** Tokens, and layouts of them. */
  TOKEN_LAYOUTS,
  /** Layouts of blocks. */
  BLOCK_LAYOUTS,
  /** Policies that choose the level of reads by what is observed. */
  LEVEL_POLICIES,
  /** Reads from the master or from replicas, as is asked. */
  READ_FROM,
  /** Writes that clients defer, and that are known to be visible or not. */
  DEFERRED_WRITES,
  /** Groups of nodes that are switched on and off with all data readable. */
  GEARS,
  /** One master that is waited for, so that clocks go by roles. */
  CLOCKS_BY_ROLE,
  /** Nodes that count the requests of their clients, so that joules per request are known. */
  REQUEST_COUNTS,
  /** Nodes that are killed, stopped and started in the midst of runs. */
  NODE_EVENTS
}
