package org.calando.power.host;

import org.calando.power.MeterException;
import org.calando.power.Ticker;

/**
 * Where a node's machine tells what it has used. A value: equal sources are one machine. Immutable
 * and thread safe; a password is named, never held.
 */
public interface HostSource {
  /** The place that is asked, for messages and reports; without secrets. */
  String describe();

  /** The longest that its figures usually take to be renewed, 0 if they are always new. */
  default long renewalNanos() {
    return 0;
  }

  /**
   * Starts to read it, without asking yet.
   *
   * @param ticker clock of the figures
   * @throws MeterException if it can never be read as it is described
   */
  HostProbe open(Ticker ticker) throws MeterException;
}
