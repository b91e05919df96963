package org.calando.core.energy;

/** What an energy figure covers. */
public enum Scope {
  /** One node of the store. */
  NODE,
  /** Processor packages and their memory, without disks, fans and power supply. */
  PACKAGE,
  /** A whole machine, with everything that runs on it. */
  HOST
}
