package org.calando.core.policy.joint;

/** Where a key is, and which of these nodes a read asks. */
public enum Placing {
  /** On several nodes that are alike: a read asks as many of them as its level says. */
  REPLICAS,
  /**
   * On a master, which has each write first, and on replicas, which follow it. A read asks one of
   * these: a choice of 1 is any replica, one of 2 the master, which has all that it acknowledged.
   */
  MASTER,
  /** On one server, and on another once that has left: a read asks it. */
  SERVERS
}
