package org.calando.agent.server;

import org.calando.agent.AgentWire.LeaseState;

/** A lease is not given, or not given back, as somebody else has it. */
final class RefusedLeaseException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient LeaseState lease;

  RefusedLeaseException(String what, LeaseState lease) {
    super(what);
    this.lease = lease;
  }

  /** Who has it. */
  LeaseState lease() {
    return lease;
  }
}
