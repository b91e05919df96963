package org.calando.sim.cluster;

/** The messages between nodes; WARS' letters are its four latencies. */
public enum LinkKind {
  /** A read on its way to a replica: R. */
  READ,
  /** A replica's reply to it: S. */
  RESPONSE,
  /** A write on its way to a replica: W. */
  WRITE,
  /** A replica's acknowledgement: A. */
  ACKNOWLEDGEMENT
}
