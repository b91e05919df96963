package org.calando.core.store;

/** Which nodes may answer a read that asks one node. A read that asks more asks any. */
public enum ReadFrom {
  /** The master: sees every write that it acknowledged. */
  MASTER,
  /** One of the replicas that are linked, at random; the master while there is none. */
  REPLICA,
  /** Any of the nodes that are linked, the master included, at random. */
  ANY
}
