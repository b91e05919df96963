package org.calando.sim.cluster;

/** Which node a client sends a request to. */
public enum CoordinatorChoice {
  /** All nodes of the clients' data centre by turns. */
  ROUND_ROBIN,
  /** One of the key's replicas there, by turns; any node if none of them is up. */
  TOKEN_AWARE
}
