package org.calando.core.energy;

/** How an energy figure came about; every figure carries it. */
public enum Provenance {
  /** Read from an instrument. */
  MEASURED,
  /** Computed from CPU time and a {@link NodeProfile}. */
  MODELLED,
  /** A node's share of what an instrument read for a whole host. */
  ATTRIBUTED,
  /** From a simulation. */
  SIMULATED
}
